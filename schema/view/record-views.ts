import { storyIdInput } from '../../src/domain/story/story-input.ts';
import { markStorySeen, recordViews, recordViewsInput } from '../../src/domain/view/record-views.ts';
import { inputOf } from '../shared/input-fields.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Story } from '../story/story.ts';

mutationField(
  'recordViews',
  inputOf(recordViewsInput),
  {
    description:
      'Counts views of posts and stories: an impression for each view, reach once per user. Stories count as seen. Records that the viewer cannot see are ignored.',
    resolve: (_, { input }, context) => recordViews(context, input),
  },
  {
    outputFields: (t) => ({
      postIds: t.exposeStringList('postIds', { description: 'Public ids of the posts that were counted.' }),
      storyIds: t.exposeStringList('storyIds', { description: 'Public ids of the stories that were counted.' }),
    }),
  },
);

mutationField(
  'markStorySeen',
  inputOf(storyIdInput),
  {
    description: 'Records that the viewer saw a story: an impression each time, reach the first time.',
    resolve: async (_, { input }, context) => ({ story: await markStorySeen(context, input) }),
  },
  { outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story.' }) }) },
);
