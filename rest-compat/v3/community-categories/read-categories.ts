import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, pagingOptions } from '../../params.ts';
import { route } from '../../route.ts';

const shared = { method: 'GET', reference: 'category-and-feed', arrays: ['categories', 'files'] } as const;

export const readCategories = [
  route({
    ...shared,
    path: '/api/v3/community-categories',
    summary: 'List the community categories of the network.',
    params: z.object({
      sortBy: enumParam('CategorySort').default('NAME'),
      isDeleted: boolOrBoth().default(null),
      options: pagingOptions(),
    }),
    document: operation('QueryCategories'),
    variables: ({ sortBy, isDeleted, options }) => ({ sortBy, isDeleted, ...connectionVariables(options) }),
    paging: ['previous'],
  }),
  route({
    ...shared,
    path: '/api/v3/community-categories/:categoryId',
    summary: 'Get one community category.',
    params: z.object({ categoryId: id() }),
    document: operation('GetCategory'),
    variables: ({ categoryId }) => ({ categoryId }),
    required: 'Category',
  }),
];
