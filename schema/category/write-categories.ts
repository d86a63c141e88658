import { createCategory, deleteCategory, updateCategory } from '../../src/domain/category/change-category.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Category } from './category.ts';

mutationField(
  'createCategory',
  {
    description: 'What to make.',
    inputFields: (t) => ({
      name: t.string({ required: true, description: 'Name to show, 1 to 100 characters.' }),
      avatarFileId: t.string({ description: 'File id of the picture, one that you uploaded.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, at most 64 KiB.' }),
    }),
  },
  {
    description: 'Makes a category that communities are filed under.',
    resolve: async (_, { input }, context) => ({ category: await createCategory(context, input) }),
  },
  {
    description: 'The category as it is now.',
    outputFields: (t) => ({ category: t.expose('category', { type: Category, description: 'The category.' }) }),
  },
);

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
    resolve: async (_, { input }, context) => ({ category: await updateCategory(context, input) }),
  },
  {
    description: 'The category as it is now.',
    outputFields: (t) => ({ category: t.expose('category', { type: Category, description: 'The category.' }) }),
  },
);

mutationField(
  'deleteCategory',
  {
    description: 'Which category.',
    inputFields: (t) => ({ categoryId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Deletes a category. Communities that were filed under it stay.',
    resolve: async (_, { input }, context) => ({ category: await deleteCategory(context, input) }),
  },
  {
    description: 'The category as it is now.',
    outputFields: (t) => ({ category: t.expose('category', { type: Category, description: 'The category.' }) }),
  },
);
