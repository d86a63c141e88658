import { addReaction, type Reacted } from '../../src/domain/reaction/add-reaction.ts';
import { removeReaction } from '../../src/domain/reaction/remove-reaction.ts';
import { builder } from '../builder.ts';
import { Comment } from '../comment/comment.ts';
import { Message } from '../message/message.ts';
import { Post } from '../post/post.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Story } from '../story/story.ts';
import { Reaction, ReactionReferenceType } from './reaction.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;
type OutputFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Reacted>;

/** What both mutations of reactions ask. */
export const reactionInputFields = (t: InputFields) => ({
  referenceType: t.field({ type: ReactionReferenceType, required: true, description: 'What it refers to.' }),
  referenceId: t.string({ required: true, description: 'Public id of what it refers to.' }),
  reactionName: t.string({ required: true, description: 'How: any name of 1 to 100 characters, such as `like`.' }),
});

const ReactionReference = builder.unionType('ReactionReference', {
  description: 'What a reaction refers to.',
  types: [Post, Comment, Story, Message],
  resolveType: (record) => {
    if ('messageId' in record) return 'Message';
    if ('storyId' in record) return 'Story';
    return 'commentId' in record ? 'Comment' : 'Post';
  },
});

/** What both answer. */
export const reacted = (t: OutputFields) => ({
  reaction: t.expose('reaction', { type: Reaction, description: 'The reaction.' }),
  reference: t.expose('record', {
    type: ReactionReference,
    description: 'What it refers to, with its counters as they are now.',
  }),
});

mutationField(
  'addReaction',
  { description: 'What to react to, and how.', inputFields: reactionInputFields },
  {
    description:
      'Reacts to a post, comment, story or message. One reaction a user and name: once more changes nothing.',
    resolve: (_, { input }, context) => addReaction(context, input),
  },
  { description: 'The reaction, and what it refers to.', outputFields: reacted },
);

mutationField(
  'removeReaction',
  { description: 'Which of the viewer’s reactions.', inputFields: reactionInputFields },
  {
    description: 'Takes a reaction of the viewer back.',
    resolve: (_, { input }, context) => removeReaction(context, input),
  },
  { description: 'The reaction that went, and what it referred to.', outputFields: reacted },
);
