import { reactionsOf } from '../../src/domain/reaction/reactions-of.ts';
import { builder } from '../builder.ts';
import { Comment } from '../comment/comment.ts';
import { Post } from '../post/post.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { Reaction, ReactionConnection } from './reaction.ts';

const description = 'Who reacted and how, newest first.';
const nameDescription = 'Only reactions of this name.';

builder.objectField(Post, 'reactors', (t) =>
  t.connection(
    {
      type: Reaction,
      description,
      args: { reactionName: t.arg.string({ description: nameDescription }) },
      resolve: async ({ postId, reactionsCount }, { reactionName, ...args }, context) => {
        const list = { referenceType: 'post', referenceId: postId, count: reactionsCount, reactionName } as const;
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
