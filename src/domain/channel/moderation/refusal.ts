import { OperationError } from '../../../errors.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';

/** The error for a viewer who sees a channel but may not change it. */
export function refusal(membership: ChannelUserRecord | null): OperationError {
  return new OperationError(membership?.membership === 'banned' ? 'BANNED' : 'PERMISSION_DENIED');
}
