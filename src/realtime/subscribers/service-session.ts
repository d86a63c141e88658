import { BACKGROUND, type Origin, type Services } from '../../context.ts';
import { networkOfServerKey } from '../../domain/network/find-network.ts';
import { serviceViewer } from '../../domain/session/service-viewer.ts';
import { OperationError } from '../../errors.ts';
import type { Listener } from '../subscription-spec.ts';

/** The session of the application's own server; its rights never change. */
export function serviceSession(networkId: string): Listener['session'] {
  return { viewer: serviceViewer(networkId), rightsKey: 'service', refreshing: null, hasEnded: false };
}

/**
 * The service session of the network that a server key belongs to.
 * @param origin for whose address an invalid key counts
 * @throws {OperationError} UNAUTHORIZED, RATE_LIMITED
 */
export async function sessionOfServerKey(
  { store, now, rateLimits }: Services,
  serverKey: string | null,
  origin: Origin = BACKGROUND,
): Promise<Listener['session']> {
  const credentials = { apiKey: null, serverKey };
  const { networkId } = await networkOfServerKey({ store, now, rateLimits, credentials, origin });
  return serviceSession(networkId);
}

/** How often a stream checks its key, in milliseconds. */
const KEY_CHECK_MS = 5_000;

/**
 * Ends the stream of a server whose key is no longer accepted. An unavailable database ends nothing: the next check decides.
 * @returns a function that stops the checks
 */
export function watchServerKey(
  services: Services,
  serverKey: string | null,
  onEnd: (reason: OperationError) => void,
): () => void {
  const check = () =>
    sessionOfServerKey(services, serverKey).catch((error: unknown) => {
      if (error instanceof OperationError && error.errorName === 'UNAUTHORIZED') onEnd(error);
    });
  const timer = setInterval(() => void check(), KEY_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
