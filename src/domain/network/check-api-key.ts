import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { networkOfApiKey } from './find-network.ts';

/**
 * Checks the X-API-Key of two endpoints that list it beside the token (interface §5): published clients leave it out,
 * but a key that is given must be that of the viewer's network.
 *
 * @throws {OperationError} UNAUTHORIZED for a wrong key or another network's
 */
export async function checkApiKey(context: Context): Promise<void> {
  if (context.credentials.apiKey === null) return;
  const network = await networkOfApiKey(context);
  if (network.networkId !== viewerOf(context).networkId) {
    throw new OperationError('UNAUTHORIZED', { message: 'A valid X-API-Key is required.' });
  }
}
