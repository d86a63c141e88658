import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { text, validate } from '../input.ts';
import { requireAllowedLinks, requireAllowedText } from './require-allowed-text.ts';

/** Characters of all texts together: those of the longest post. */
const MAX_CHARACTERS = 20_000;

const texts = z
  .array(text({ max: 2_000 }))
  .max(100, 'at most 100')
  .refine(
    (given) => given.reduce((total, { length }) => total + length, 0) <= MAX_CHARACTERS,
    `together at most ${MAX_CHARACTERS.toLocaleString('en')} characters`,
  );
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
