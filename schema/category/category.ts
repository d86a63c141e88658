import * as access from '../../src/access/category.ts';
import { viewerOf } from '../../src/context.ts';
import { getCategory } from '../../src/domain/category/get-category.ts';
import type { CategoryRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { nodeType } from '../shared/node.ts';

export const Category = nodeType<CategoryRecord>('Category', {
  description: 'A category of communities.',
  id: 'categoryId',
  load: (context, categoryId) => getCategory(context, { categoryId }),
});

builder.objectFields(Category, (t) => ({
  categoryId: t.exposeString('categoryId', { description: 'Public id.' }),
  name: t.exposeString('name', { description: 'Display name.' }),
  avatarFileId: t.exposeString('avatarFileId', { nullable: true, description: 'File id of the avatar.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the category is deleted.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  avatar: t.field({
    type: File,
    nullable: true,
    description: 'The avatar.',
    resolve: (category, _, { load }) => (category.avatarFileId ? load.files.load(category.avatarFileId) : null),
  }),
}));

builder.queryField('category', (t) =>
  t.field({
    type: Category,
    nullable: true,
    description: 'A category by its public id.',
    args: { categoryId: t.arg.string({ required: true, description: 'Public id of the category.' }) },
    resolve: (_, args, context) => getCategory(context, args),
  }),
);

builder.objectFields(Category, (t) => ({
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update the category.',
    resolve: (category, _, context) => !category.isDeleted && access.canEditCategory(viewerOf(context)),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete the category.',
    resolve: (category, _, context) => !category.isDeleted && access.canDeleteCategory(viewerOf(context)),
  }),
}));
