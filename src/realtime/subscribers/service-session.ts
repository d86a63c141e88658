import type { Services } from '../../context.ts';
import { networkOfServerKey } from '../../domain/network/find-network.ts';
import { serviceViewer } from '../../domain/session/service-viewer.ts';
import type { Listener } from '../subscription-spec.ts';

/** The session of the application's own server; its rights never change. */
export function serviceSession(networkId: string): Listener['session'] {
  return { viewer: serviceViewer(networkId), rightsKey: 'service', refreshing: null, hasEnded: false };
}

/** The service session of the network that a server key belongs to. @throws {OperationError} UNAUTHORIZED */
export async function sessionOfServerKey({ store }: Services, serverKey: string | null): Promise<Listener['session']> {
  const { networkId } = await networkOfServerKey({ store, credentials: { apiKey: null, serverKey } });
  return serviceSession(networkId);
}
