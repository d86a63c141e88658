import { randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { hashKey } from './keys/network-keys.ts';

/** Links of a network that wait for their use; the oldest give way. */
const MAX_LINKS = 20;

export interface LoginLink {
  networkId: string;
  userId: string;
}

/**
 * Stores a link that signs a user in once. Only the hash of its token is stored.
 * @returns the token, which names the network
 */
export async function addLoginLink(
  { store, now }: Pick<Context, 'store' | 'now'>,
  session: ClientSession,
  { networkId, userId, expiresAt }: LoginLink & { expiresAt: Date },
): Promise<string> {
  const token = `${networkId}.${randomBytes(32).toString('base64url')}`;
  const { networks } = store.collections;
  await networks.updateOne({ networkId }, { $pull: { loginLinks: { expiresAt: { $lte: now() } } } }, { session });
  const links = { $each: [{ hash: hashKey(token), userId, expiresAt }], $slice: -MAX_LINKS };
  await networks.updateOne({ networkId }, { $push: { loginLinks: links } }, { session });
  return token;
}

/**
 * Removes the link of a token, so that of several concurrent uses one finds it. Links are found by the hash of the token,
 * so the time of a comparison reveals nothing about a token.
 *
 * @returns null for an unknown, used or expired link
 */
export async function takeLoginLink(
  { store, now }: Pick<Context, 'store' | 'now'>,
  session: ClientSession,
  token: string,
): Promise<LoginLink | null> {
  const hash = hashKey(token);
  const networkId = token.slice(0, token.lastIndexOf('.'));
  const network = await store.collections.networks.findOneAndUpdate(
    { networkId, 'loginLinks.hash': hash },
    { $pull: { loginLinks: { hash } } },
    { session, returnDocument: 'before' },
  );
  const link = network?.loginLinks?.find((one) => one.hash === hash);
  return link && link.expiresAt > now() ? { networkId, userId: link.userId } : null;
}

/** Removes the unused links of a user, or of all users. */
export async function removeLoginLinks(
  { store }: Pick<Context, 'store'>,
  session: ClientSession,
  { networkId, userId }: Pick<LoginLink, 'networkId'> & Partial<LoginLink>,
): Promise<void> {
  const links = userId === undefined ? {} : { userId };
  await store.collections.networks.updateOne({ networkId }, { $pull: { loginLinks: links } }, { session });
}
