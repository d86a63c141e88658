import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { type CategorySort, GetCategoryDocument, QueryCategoriesDocument } from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, pagingOptions } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = { method: 'GET', section: 'legacy-facts §7', arrays: ['categories', 'files'] } as const;

export const communityCategories: Route[] = [
  route({
    ...shared,
    path: '/api/v3/community-categories',
    summary: 'Query community categories.',
    params: z.object({
      sortBy: enumParam<CategorySort>('CategorySort').default('NAME'),
      isDeleted: boolOrBoth().default(null),
      options: pagingOptions(),
    }),
    document: QueryCategoriesDocument,
    variables: ({ sortBy, isDeleted, options }) => ({ sortBy, isDeleted, ...connectionVariables(options) }),
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v3/community-categories/:categoryId',
    summary: 'Get one community category.',
    params: z.object({ categoryId: id() }),
    document: GetCategoryDocument,
    variables: ({ categoryId }) => ({ categoryId }),
    required: 'Category',
  }),
];
