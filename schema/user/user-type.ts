import type { UserRecord, UserType } from '../../src/store/records/user.ts';
import { restEnum } from '../shared/rest-enum.ts';

export const UserTypeEnum = restEnum<UserType>('UserType', 'Whether a user has an account.', {
  'signed-in': 'A user with an account.',
  visitor: 'A visitor without an account, whose session is read-only.',
  bot: 'A program without an account, such as a crawler, whose session is read-only.',
});

export const userTypeOf = ({ userType }: UserRecord): UserType => userType ?? 'signed-in';
