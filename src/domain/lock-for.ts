import { type Context, viewerOf } from '../context.ts';
import type { TransactionOptions } from '../store/transaction.ts';

/**
 * The lock of a record: transactions with the same lock run one after another in this process, see {@link
 * TransactionOptions.key}. A transaction that writes several records takes the lock that most others take: the
 * community of its members, the feed of its messages.
 */
export function lockFor(
  context: Context,
  kind: 'channel' | 'comment' | 'community' | 'messageFeed' | 'poll' | 'post' | 'story' | 'user' | 'message' | 'record',
  id: string,
): TransactionOptions {
  return { key: `${kind} ${viewerOf(context).networkId} ${id}` };
}
