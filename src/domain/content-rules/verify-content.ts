import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { text, validate } from '../input.ts';
import { requireAllowedLinks, requireAllowedText } from './require-allowed-text.ts';

const texts = z.array(text({ max: 2_000 })).max(100, 'at most 100');
const contentInput = z.object({ texts: texts.nullish(), links: texts.nullish() });

/**
 * Checks texts, and links with or without scheme, against the rules of the network before they are sent.
 * @returns true @throws {OperationError} BLOCKED_WORD, LINK_NOT_ALLOWED
 */
export async function verifyContent(context: Context, input: z.input<typeof contentInput>): Promise<true> {
  viewerOf(context);
  const given = validate(contentInput, input);
  await requireAllowedText(context, given.texts ?? [], ['texts']);
  await requireAllowedLinks(context, given.links ?? [], ['links']);
  return true;
}
