import type { PostRecord, ReactionRecord } from '../../src/store/records/content.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Reaction } from '../reaction/reaction.ts';
import { Post } from './post.ts';

eventType('post', {
  about: 'a post',
  fields: (t) => ({
    post: t.field({
      type: Post,
      description: 'The post; without its content if it is deleted.',
      resolve: fromPayload<PostRecord>('post'),
    }),
  }),
});

eventType('postReaction', {
  about: 'the reactions on a post',
  fields: (t) => ({
    post: t.field({ type: Post, description: 'The post.', resolve: fromPayload<PostRecord>('post') }),
    reactor: t.field({
      type: Reaction,
      description: 'The reaction.',
      resolve: fromPayload<ReactionRecord>('reaction'),
    }),
  }),
});
