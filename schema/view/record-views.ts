import { recordViews } from '../../src/domain/view/record-views.ts';
import { mutationField } from '../shared/mutation-field.ts';

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
    errors: {},
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
