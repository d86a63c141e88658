import { z } from 'zod';
import { canChangeNetworkSettings } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { NetworkSettings } from '../../store/records/user.ts';
import { json, text, validate } from '../input.ts';
import { changeSettings } from './change-settings.ts';

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
): Promise<NetworkSettings> {
  const viewer = viewerOf(context);
  const { domain, patterns } = validate(updateDeepLinksInput, input);
  if (!canChangeNetworkSettings(viewer)) throw new OperationError('PERMISSION_DENIED');
  return changeSettings(context, { deepLinks: { domain, patterns } });
}
