import { listReactions } from '../../src/domain/reaction/list-reactions.ts';
import { reactionsOf } from '../../src/domain/reaction/reactions-of.ts';
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

builder.objectField(Post, 'reactors', (t) =>
  t.connection(
    {
      type: Reaction,
      description,
      args: { reactionName: t.arg.string({ description: nameDescription }) },
      resolve: async ({ postId, reactionsCount: count, isDeleted }, { reactionName, ...args }, context) => {
        const list = { referenceType: 'post', referenceId: postId, count, isDeleted, reactionName } as const;
        return toConnection(await reactionsOf(context, { ...list, request: pageRequest(args) }));
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
      resolve: async ({ commentId, reactionsCount }, { reactionName, ...args }, context) => {
        const list = { referenceType: 'comment', referenceId: commentId, count: reactionsCount, reactionName } as const;
        return toConnection(await reactionsOf(context, { ...list, request: pageRequest(args) }));
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
      resolve: async ({ storyId, reactionsCount: count, isDeleted }, { reactionName, ...args }, context) => {
        const list = { referenceType: 'story', referenceId: storyId, count, isDeleted, reactionName } as const;
        return toConnection(await reactionsOf(context, { ...list, request: pageRequest(args) }));
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
      resolve: async ({ messageId, reactionCount }, { reactionName, ...args }, context) => {
        const list = { referenceType: 'message', referenceId: messageId, count: reactionCount, reactionName } as const;
        return toConnection(await reactionsOf(context, { ...list, request: pageRequest(args) }));
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
