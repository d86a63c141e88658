import { type Context, viewerOf } from '../context.ts';
import type { TransactionOptions } from '../store/transaction.ts';

/**
 * The lock of a record: transactions with the same lock run one after another in this process, see {@link
 * TransactionOptions.key}. A transaction that writes several records takes the lock that most others take: the
 * community of its members, the feed of its messages.
 *
 * @param sharedUserIds users whose records must not change meanwhile. Transactions that share a user run concurrently
 */
export function lockFor(
  context: Context,
  kind: 'channel' | 'comment' | 'community' | 'messageFeed' | 'poll' | 'post' | 'story' | 'user' | 'message' | 'record',
  id: string,
  { sharedUserIds = [] }: { sharedUserIds?: readonly string[] } = {},
): TransactionOptions {
  const { networkId } = viewerOf(context);
  const exclusive = `${kind} ${networkId} ${id}`;
  if (sharedUserIds.length === 0) return { key: exclusive };
  return { key: { exclusive, shared: sharedUserIds.map((userId) => `user ${networkId} ${userId}`) } };
}
