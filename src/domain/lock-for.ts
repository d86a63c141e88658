import { type Context, viewerOf } from '../context.ts';
import type { TransactionOptions } from '../store/transaction.ts';

/**
 * Those who write one record take turns, see {@link TransactionOptions.key}. A transaction that writes several names the
 * one that most others write too: the community of its members, the feed of its messages.
 */
export function lockFor(
  context: Context,
  kind: 'channel' | 'comment' | 'community' | 'messageFeed' | 'poll' | 'post' | 'story' | 'user' | 'message' | 'record',
  id: string,
): TransactionOptions {
  return { key: `${kind} ${viewerOf(context).networkId} ${id}` };
}
