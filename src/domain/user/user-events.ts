import type { NewEvent } from '../../events/append-events.ts';
import type { UserRecord } from '../../store/records/user.ts';

type UserEventName = Extract<NewEvent['type'], `user.${string}`>;

/** An event about a user. */
export function userEvent(type: UserEventName, { path, userId }: Pick<UserRecord, 'path' | 'userId'>): NewEvent {
  return { type, path, data: { userId } };
}
