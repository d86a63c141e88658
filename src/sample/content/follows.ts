import type { FollowRecord } from '../../store/records/user.ts';
import { baseRecord } from '../builders/base.ts';
import type { SampleContext } from '../context.ts';

const FOLLOWS: Array<[userId: string, followedUserId: string]> = [
  ['frank', 'grace'],
  ['grace', 'frank'],
  ['heidi', 'frank'],
  ['judy', 'heidi'],
];

/** Who follows whom. Heidi requested to follow Alice while the network had private profiles. */
export function sampleFollows(context: SampleContext): FollowRecord[] {
  const follow = (userId: string, followedUserId: string, index: number): FollowRecord => ({
    ...baseRecord(
      context,
      { kind: 'follow', name: `${userId} ${followedUserId}` },
      { createdAt: context.at(300 + index) },
    ),
    userId,
    followedUserId,
    status: 'accepted',
  });
  return [
    ...FOLLOWS.map(([userId, followedUserId], index) => follow(userId, followedUserId, index)),
    { ...follow('heidi', 'alice', FOLLOWS.length), status: 'pending' },
  ];
}
