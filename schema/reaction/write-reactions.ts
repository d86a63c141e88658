import { addReaction, type Reacted, reactionInput } from '../../src/domain/reaction/add-reaction.ts';
import { removeReaction } from '../../src/domain/reaction/remove-reaction.ts';
import { builder } from '../builder.ts';
import { Comment } from '../comment/comment.ts';
import { Message } from '../message/message.ts';
import { Post } from '../post/post.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Story } from '../story/story.ts';
import { Reaction, ReactionReferenceType } from './reaction.ts';

type OutputFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Reacted>;

const ReactionReference = builder.unionType('ReactionReference', {
  description: 'A record that a reaction refers to.',
  types: [Post, Comment, Story, Message],
  resolveType: (record) => {
    if ('messageId' in record) return 'Message';
    if ('storyId' in record) return 'Story';
    return 'commentId' in record ? 'Comment' : 'Post';
  },
});

const REACTION_PAYLOAD = {
  outputFields: (t: OutputFields) => ({
    reaction: t.expose('reaction', { type: Reaction, description: 'The added or removed reaction.' }),
    reference: t.expose('record', {
      type: ReactionReference,
      description: 'The record, with its updated counters.',
    }),
  }),
};

mutationField(
  'addReaction',
  inputOf(reactionInput, { referenceType: ReactionReferenceType }),
  {
    description:
      'Adds a reaction to a post, comment, story or message. A user has at most one reaction of each name; adding it again changes nothing.',
    resolve: (_, { input }, context) => addReaction(context, input),
    ...causes('post.addReaction', 'comment.addReaction', 'story.reactionAdded', 'message.reactionAdded'),
  },
  REACTION_PAYLOAD,
);

mutationField(
  'removeReaction',
  inputOf(reactionInput, { referenceType: ReactionReferenceType }),
  {
    description: 'Removes a reaction of the viewer.',
    resolve: (_, { input }, context) => removeReaction(context, input),
    ...causes('post.removeReaction', 'comment.removeReaction', 'story.reactionRemoved', 'message.reactionRemoved'),
  },
  REACTION_PAYLOAD,
);
