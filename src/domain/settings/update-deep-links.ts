import { z } from 'zod';
import type { Context } from '../../context.ts';
import { json, text, validate } from '../input.ts';
import type { ReadableSettings } from '../network/readable-settings.ts';
import { updateNetworkSettings } from './update-network-settings.ts';

export const updateDeepLinksInput = z.object({
  domain: text({ max: 253 }).describe('Domain of the addresses, such as app.example.com.'),
  patterns: json().describe('Path of each kind of record by its name, such as `{post: "/post/{postId}"}`.'),
});

/**
 * Sets the addresses that open records in the application.
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function updateDeepLinks(
  context: Context,
  input: z.input<typeof updateDeepLinksInput>,
): Promise<ReadableSettings> {
  return updateNetworkSettings(context, { deepLinks: validate(updateDeepLinksInput, input) });
}
