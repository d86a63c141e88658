import * as access from '../../src/access/category.ts';
import { viewerOf } from '../../src/context.ts';
import { builder } from '../builder.ts';
import { Category } from './category.ts';

builder.objectFields(Category, (t) => ({
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer may change the category.',
    resolve: (category, _, context) => !category.isDeleted && access.canEditCategory(viewerOf(context)),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer may delete the category.',
    resolve: (category, _, context) => !category.isDeleted && access.canDeleteCategory(viewerOf(context)),
  }),
}));
