import {
  createCategory,
  createCategoryInput,
  deleteCategory,
  deleteCategoryInput,
  updateCategory,
  updateCategoryInput,
} from '../../src/domain/category/change-category.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Category } from './category.ts';

mutationField(
  'createCategory',
  inputOf(createCategoryInput),
  {
    description: 'Creates a category for communities.',
    resolve: async (_, { input }, context) => ({ category: await createCategory(context, input) }),
    ...causes('category.created'),
  },
  { outputFields: (t) => ({ category: t.expose('category', { type: Category, description: 'The new category.' }) }) },
);

mutationField(
  'updateCategory',
  inputOf(updateCategoryInput),
  {
    description: 'Changes a category. Omitted fields stay unchanged; null clears an optional field.',
    resolve: async (_, { input }, context) => ({ category: await updateCategory(context, input) }),
    ...causes('category.updated'),
  },
  {
    outputFields: (t) => ({ category: t.expose('category', { type: Category, description: 'The updated category.' }) }),
  },
);

mutationField(
  'deleteCategory',
  inputOf(deleteCategoryInput),
  {
    description: 'Deletes a category. Its communities are not deleted.',
    resolve: async (_, { input }, context) => ({ category: await deleteCategory(context, input) }),
    ...causes('category.deleted'),
  },
  {
    outputFields: (t) => ({ category: t.expose('category', { type: Category, description: 'The deleted category.' }) }),
  },
);
