import { createContext, type Services } from '../context.ts';
import { mintAuthToken } from '../domain/session/mint-auth-token.ts';
import type { SampleSignIn } from '../http/console.ts';

/** An administrator, a moderator of a community and a member of the sample network. */
const SAMPLE_ACCOUNTS = ['admin', 'alice', 'bob'];

/**
 * Creates authentication tokens for the accounts of the sample network that exist, with the keys that the gateway
 * generated for itself.
 */
export async function sampleAccounts(
  services: Services,
  { apiKey, serverKey }: { apiKey: string; serverKey: string },
): Promise<SampleSignIn> {
  const context = createContext(services, null, { apiKey, serverKey });
  const { NETWORK_ID: networkId } = services.config;
  const users = await services.store.collections.users
    .find({ networkId, userId: { $in: SAMPLE_ACCOUNTS }, isDeleted: false })
    .project<{ userId: string; displayName: string; description: string }>({
      _id: 0,
      userId: 1,
      displayName: 1,
      description: 1,
    })
    .sort({ userId: 1 })
    .toArray();
  const accounts = await Promise.all(
    users.map(async (user) => ({ ...user, authToken: await mintAuthToken(context, { userId: user.userId }) })),
  );
  return { apiKey, accounts };
}
