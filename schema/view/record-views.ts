import { markStorySeen, recordViews } from '../../src/domain/view/record-views.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Story } from '../story/story.ts';

mutationField(
  'recordViews',
  {
    description: 'What was seen.',
    inputFields: (t) => ({
      postIds: t.stringList({ description: 'Public ids of posts, 100 at most.' }),
      storyIds: t.stringList({ description: 'Public ids of stories, 100 at most.' }),
    }),
  },
  {
    description:
      'Counts what the viewer saw: an impression each, reach once a user; stories count as seen. What they cannot see is left out.',
    resolve: (_, { input }, context) => recordViews(context, input),
  },
  {
    description: 'What was counted.',
    outputFields: (t) => ({
      postIds: t.exposeStringList('postIds', { description: 'Public ids of the posts that were counted.' }),
      storyIds: t.exposeStringList('storyIds', { description: 'Public ids of the stories that were counted.' }),
    }),
  },
);

mutationField(
  'markStorySeen',
  {
    description: 'Which story.',
    inputFields: (t) => ({ storyId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Notes that the viewer saw a story: an impression each time, reach the first time.',
    resolve: async (_, { input }, context) => ({ story: await markStorySeen(context, input) }),
  },
  {
    description: 'The story that was seen.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story that was seen.' }) }),
  },
);
