import type { NewEvent } from '../../events/append.ts';
import type { UserRecord } from '../../store/records/user.ts';

type UserEventName = Extract<NewEvent['type'], `user.${string}`>;

/** That something happened to a user. */
export function userEvent(type: UserEventName, { path, userId }: Pick<UserRecord, 'path' | 'userId'>): NewEvent {
  return { type, path, data: { userId } };
}
