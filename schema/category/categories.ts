import { listCategories } from '../../src/domain/category/list-categories.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Category } from './category.ts';

const CategoryConnection = connectionType(Category, 'categories');
const CategorySort = restEnum('CategorySort', 'Sort order of categories.', {
  name: 'By name, in ascending order. Default.',
  firstCreated: 'Oldest first, by creation time.',
  lastCreated: 'Newest first, by creation time.',
});

builder.queryField('categories', (t) =>
  t.connection(
    {
      type: Category,
      description: 'The categories of the network.',
      args: {
        sortBy: t.arg({ type: CategorySort, required: true, defaultValue: 'name', description: 'Sort order.' }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description:
            'Whether to list deleted records (true), existing ones (false, default) or both (null). Deleted records are visible to users who can delete them.',
        }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, args, context) =>
        toConnection(await listCategories(context, { ...args, request: pageRequest(args) })),
    },
    CategoryConnection,
  ),
);

builder.objectField(Community, 'categories', (t) =>
  t.connection(
    {
      type: Category,
      description: 'The categories of the community.',
      args: { sortBy: t.arg({ type: CategorySort, required: true, defaultValue: 'name', description: 'Sort order.' }) },
      resolve: async ({ categoryIds }, args, context) =>
        toConnection(await listCategories(context, { ...args, categoryIds, request: pageRequest(args) })),
    },
    CategoryConnection,
  ),
);
