import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { text, validate } from '../input.ts';
import { requireAllowedText } from './require-allowed-text.ts';

const textsInput = z.object({ texts: z.array(text({ max: 2_000 })).max(100, 'at most 100') });

/**
 * Checks texts, such as words or links, against the rules of the network before they are sent.
 * @returns true @throws {OperationError} BLOCKED_WORD, LINK_NOT_ALLOWED
 */
export async function verifyContent(context: Context, input: z.input<typeof textsInput>): Promise<true> {
  viewerOf(context);
  const { texts } = validate(textsInput, input);
  await requireAllowedText(context, texts, ['texts']);
  return true;
}
