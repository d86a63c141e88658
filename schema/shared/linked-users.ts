import type { Context } from '../../src/context.ts';
import type { MaybePromise } from '../../src/lib/maybe-promise.ts';
import type { Mentionee } from '../../src/store/records/base.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';
import { Comment } from '../comment/comment.ts';
import { Post } from '../post/post.ts';
import { Room } from '../room/room.ts';
import { User } from '../user/user.ts';
import { loadAll } from './reactable.ts';

const mentioned = (mentionees: Mentionee[]): string[] => mentionees.flatMap(({ userIds }) => userIds);

const load = ({ load }: Context, ids: ReadonlyArray<string | null>): MaybePromise<UserRecord[]> =>
  loadAll(load.users, ids);

builder.objectField(Post, 'linkedUsers', (t) =>
  t.field({
    type: [User],
    description:
      'All users that the post refers to, without duplicates: author, author of the shared post, owner of the feed, and mentioned users.',
    resolve: (post, _, context) =>
      load(context, [
        post.postedUserId,
        post.sharedUserId,
        post.targetType === 'user' ? post.targetId : null,
        ...mentioned(post.mentionees),
      ]),
  }),
);

builder.objectField(Comment, 'linkedUsers', (t) =>
  t.field({
    type: [User],
    description: 'All users that the comment refers to, without duplicates: author and mentioned users.',
    resolve: (comment, _, context) => load(context, [comment.userId, ...mentioned(comment.mentionees)]),
  }),
);

builder.objectField(Room, 'linkedUsers', (t) =>
  t.field({
    type: [User],
    description:
      'All users that the room refers to, without duplicates: creator, participants, and the user who deleted it.',
    resolve: (room, _, context) =>
      load(context, [room.createdBy, room.deletedBy, ...room.participants.map(({ userId }) => userId)]),
  }),
);
