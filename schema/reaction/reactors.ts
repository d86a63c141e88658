import { reactionCounts } from '../../src/domain/engagement/reaction-names.ts';
import { listReactions } from '../../src/domain/reaction/list-reactions.ts';
import { reactionsOf } from '../../src/domain/reaction/reactions-of.ts';
import type { ReactionCounts } from '../../src/store/records/base.ts';
import { builder } from '../builder.ts';
import { Comment } from '../comment/comment.ts';
import { Message } from '../message/message.ts';
import { Post } from '../post/post.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { Story } from '../story/story.ts';
import { Reaction, ReactionConnection, ReactionReferenceType } from './reaction.ts';

const description = 'Reactions to it, newest first.';
const nameDescription = 'Only reactions with this name.';

/** The counter of the reactions, or of those with a name; null for a deleted record, whose list may be empty for the viewer. */
function totalOf(
  { isDeleted, count, reactions }: { isDeleted: boolean; count: number; reactions: ReactionCounts },
  name: string | null | undefined,
): number | null {
  if (isDeleted) return null;
  return name == null ? count : (reactionCounts(reactions)[name] ?? 0);
}

builder.objectField(Post, 'reactors', (t) =>
  t.connection(
    {
      type: Reaction,
      description,
      args: { reactionName: t.arg.string({ description: nameDescription }) },
      resolve: async (record, { reactionName, ...args }, context) => {
        const { postId: referenceId, reactionsCount: count, isDeleted } = record;
        const list = { referenceType: 'post', referenceId, count, isDeleted, reactionName } as const;
        const page = await reactionsOf(context, { ...list, request: pageRequest(args) });
        return toConnection(page, { totalCount: totalOf({ ...record, count }, reactionName) });
      },
    },
    ReactionConnection,
  ),
);

builder.objectField(Comment, 'reactors', (t) =>
  t.connection(
    {
      type: Reaction,
      description,
      args: { reactionName: t.arg.string({ description: nameDescription }) },
      resolve: async (record, { reactionName, ...args }, context) => {
        const { commentId: referenceId, reactionsCount: count } = record;
        const list = { referenceType: 'comment', referenceId, count, reactionName } as const;
        const page = await reactionsOf(context, { ...list, request: pageRequest(args) });
        return toConnection(page, { totalCount: totalOf({ ...record, count }, reactionName) });
      },
    },
    ReactionConnection,
  ),
);

builder.objectField(Story, 'reactors', (t) =>
  t.connection(
    {
      type: Reaction,
      description,
      args: { reactionName: t.arg.string({ description: nameDescription }) },
      resolve: async (record, { reactionName, ...args }, context) => {
        const { storyId: referenceId, reactionsCount: count, isDeleted } = record;
        const list = { referenceType: 'story', referenceId, count, isDeleted, reactionName } as const;
        const page = await reactionsOf(context, { ...list, request: pageRequest(args) });
        return toConnection(page, { totalCount: totalOf({ ...record, count }, reactionName) });
      },
    },
    ReactionConnection,
  ),
);

builder.objectField(Message, 'reactors', (t) =>
  t.connection(
    {
      type: Reaction,
      description,
      args: { reactionName: t.arg.string({ description: nameDescription }) },
      resolve: async (record, { reactionName, ...args }, context) => {
        const { messageId: referenceId, reactionCount: count } = record;
        const list = { referenceType: 'message', referenceId, count, reactionName } as const;
        const page = await reactionsOf(context, { ...list, request: pageRequest(args) });
        return toConnection(page, { totalCount: totalOf({ ...record, count }, reactionName) });
      },
    },
    ReactionConnection,
  ),
);

builder.queryField('reactions', (t) =>
  t.connection(
    {
      type: Reaction,
      description: 'Reactions to a post, comment, story or message that the viewer can see, newest first.',
      args: {
        referenceType: t.arg({ type: ReactionReferenceType, required: true, description: 'Kind of record.' }),
        referenceId: t.arg.string({ required: true, description: 'Public id of the record.' }),
        reactionName: t.arg.string({ description: nameDescription }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { referenceType, referenceId, reactionName, ...args }, context) => {
        const list = { referenceType, referenceId, reactionName };
        return toConnection(await listReactions(context, { ...list, request: pageRequest(args) }));
      },
    },
    ReactionConnection,
  ),
);
