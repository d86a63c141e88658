import type { ReactionRecord, StoryRecord } from '../../src/store/records/content.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Reaction } from '../reaction/reaction.ts';
import { Story } from './story.ts';

eventType('story', {
  about: 'a story',
  fields: (t) => ({
    story: t.field({
      type: Story,
      description: 'The story; without its content if it is deleted.',
      resolve: fromPayload<StoryRecord>('story'),
    }),
  }),
});

eventType('storyReaction', {
  about: 'the reactions on a story',
  fields: (t) => ({
    story: t.field({ type: Story, description: 'The story.', resolve: fromPayload<StoryRecord>('story') }),
    reactor: t.field({
      type: Reaction,
      description: 'The reaction.',
      resolve: fromPayload<ReactionRecord>('reaction'),
    }),
  }),
});
