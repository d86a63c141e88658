import { type Context, viewerOf } from '../context.ts';
import type { TransactionOptions } from '../store/transaction.ts';

/**
 * The lock of a record: transactions with the same lock run one after another in this process, see {@link
 * TransactionOptions.key}. A transaction that writes several records takes the lock that most others take: the
 * community of its members, the feed of its messages. One that writes the records of several users takes theirs, too.
 */
export function lockFor(
  context: Context,
  kind: 'channel' | 'comment' | 'community' | 'messageFeed' | 'poll' | 'post' | 'story' | 'user' | 'message' | 'record',
  id: string,
  { userIds = [] }: { userIds?: readonly string[] } = {},
): TransactionOptions {
  const { networkId } = viewerOf(context);
  const keys = [`${kind} ${networkId} ${id}`, ...userIds.map((userId) => `user ${networkId} ${userId}`)] as const;
  return { key: userIds.length > 0 ? keys : keys[0] };
}
