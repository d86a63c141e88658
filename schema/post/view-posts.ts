import { viewPosts } from '../../src/domain/post/view-posts.ts';
import { mutationField } from '../shared/mutation-field.ts';

mutationField(
  'viewPosts',
  {
    description: 'Which posts were seen.',
    inputFields: (t) => ({ postIds: t.stringList({ required: true, description: 'Public ids, 100 at most.' }) }),
  },
  {
    description: 'Counts that the viewer saw posts: an impression each, reach once a user. Others are left out.',
    errors: {},
    resolve: async (_, { input }, context) => ({ postIds: await viewPosts(context, input) }),
  },
  {
    description: 'What was counted.',
    outputFields: (t) => ({
      postIds: t.exposeStringList('postIds', { description: 'Public ids of the posts that were counted.' }),
    }),
  },
);
