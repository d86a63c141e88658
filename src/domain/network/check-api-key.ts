import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { networkOfApiKey } from './find-network.ts';

/**
 * Checks the X-API-Key of the two endpoints that document it in addition to the token (`docs/interface.md#authentication`).
 * Published clients omit it there, so it is optional, but a key that is sent must belong to the viewer's network.
 *
 * @throws {OperationError} UNAUTHORIZED for a wrong key or a key of another network
 */
export async function checkApiKey(context: Context): Promise<void> {
  if (context.credentials.apiKey === null) return;
  const network = await networkOfApiKey(context);
  if (network.networkId !== viewerOf(context).networkId) {
    throw new OperationError('UNAUTHORIZED', { message: 'A valid X-API-Key is required.' });
  }
}
