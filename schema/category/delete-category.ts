import { deleteCategory } from '../../src/domain/category/change-category.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Category } from './category.ts';

mutationField(
  'deleteCategory',
  {
    description: 'Which category.',
    inputFields: (t) => ({ categoryId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Deletes a category. Communities that were filed under it stay.',
    errors: {},
    resolve: async (_, { input }, context) => ({ category: await deleteCategory(context, input) }),
  },
  {
    description: 'The category as it is now.',
    outputFields: (t) => ({ category: t.expose('category', { type: Category, description: 'The category.' }) }),
  },
);
