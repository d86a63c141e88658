import type { CommentRecord, ReactionRecord } from '../../src/store/records/content.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Reaction } from '../reaction/reaction.ts';
import { Comment } from './comment.ts';

eventType('comment', {
  about: 'a comment',
  fields: (t) => ({
    comment: t.field({
      type: Comment,
      description: 'The comment; without its content if it is deleted.',
      resolve: fromPayload<CommentRecord>('comment'),
    }),
  }),
});

eventType('commentReaction', {
  about: 'the reactions on a comment',
  fields: (t) => ({
    comment: t.field({ type: Comment, description: 'The comment.', resolve: fromPayload<CommentRecord>('comment') }),
    reactor: t.field({
      type: Reaction,
      description: 'The reaction.',
      resolve: fromPayload<ReactionRecord>('reaction'),
    }),
  }),
});
