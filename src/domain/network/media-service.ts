import { isMediaService } from '../../access/media.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { holdsServerKey } from './find-network.ts';

/**
 * Authorizes reports of a media service. Colloquy does not include one: operators connect their own.
 * @throws {OperationError} PERMISSION_DENIED for all other callers
 */
export async function checkMediaService(context: Context): Promise<void> {
  const viewer = viewerOf(context);
  if (isMediaService(viewer, false)) return;
  const network = context.credentials.serverKey
    ? await context.store.collections.networks.findOne({ networkId: viewer.networkId })
    : null;
  if (!isMediaService(viewer, network !== null && (await holdsServerKey(context, network)))) {
    throw new OperationError('PERMISSION_DENIED');
  }
}
