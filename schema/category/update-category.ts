import { updateCategory } from '../../src/domain/category/change-category.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Category } from './category.ts';

mutationField(
  'updateCategory',
  {
    description: 'Which category, and what to change. What is absent stays; null clears what can be empty.',
    inputFields: (t) => ({
      categoryId: t.string({ required: true, description: 'Public id.' }),
      name: t.string({ description: 'Name to show, 1 to 100 characters.' }),
      avatarFileId: t.string({ description: 'File id of the picture, one that you uploaded.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, at most 64 KiB.' }),
    }),
  },
  {
    description: 'Changes a category.',
    errors: {},
    resolve: async (_, { input }, context) => ({ category: await updateCategory(context, input) }),
  },
  {
    description: 'The category as it is now.',
    outputFields: (t) => ({ category: t.expose('category', { type: Category, description: 'The category.' }) }),
  },
);
