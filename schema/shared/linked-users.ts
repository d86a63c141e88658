import type { Context } from '../../src/context.ts';
import type { Mentionee } from '../../src/store/records/base.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';
import { Comment } from '../comment/comment.ts';
import { Post } from '../post/post.ts';
import { Room } from '../room/room.ts';
import { User } from '../user/user.ts';
import { loadAll } from './reactable.ts';

const mentioned = (mentionees: Mentionee[]): string[] => mentionees.flatMap(({ userIds }) => userIds);

const load = ({ load }: Context, ids: ReadonlyArray<string | null>): Promise<UserRecord[]> => loadAll(load.users, ids);

builder.objectField(Post, 'linkedUsers', (t) =>
  t.field({
    type: [User],
    description: 'Everybody the post names, once each: author, sharer, mentioned users, owner of the feed.',
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
    description: 'Everybody the comment names, once each: author and mentioned users.',
    resolve: (comment, _, context) => load(context, [comment.userId, ...mentioned(comment.mentionees)]),
  }),
);

builder.objectField(Room, 'linkedUsers', (t) =>
  t.field({
    type: [User],
    description: 'Everybody the room names, once each: creator, participants, who deleted it.',
    resolve: (room, _, context) =>
      load(context, [room.createdBy, room.deletedBy, ...room.participants.map(({ userId }) => userId)]),
  }),
);
