import { categoryRecord } from '../../../src/sample/builders/community.ts';
import { roleRecord } from '../../../src/sample/builders/user.ts';
import { createSampleContext } from '../../../src/sample/context.ts';
import type { Fixtures } from '../fixtures.ts';
import { emptyIn, isMissingFrom, type MatrixCase, mutationCase } from '../matrix-case.ts';

const createContext = () => createSampleContext({ networkId: 'default', now: new Date() });
const STATES = { 'a live one': false, 'a deleted one': true };

async function roleIn(fixtures: Fixtures, isDeleted = false): Promise<string> {
  const roleId = fixtures.uniqueId('role');
  const role = { roleId, displayName: roleId, permissions: ['MUTE_CHANNEL'], rank: 5, isDeleted };
  await fixtures.gateway.services.store.collections.roles.insertOne(roleRecord(createContext(), role));
  return roleId;
}

async function categoryIn(fixtures: Fixtures, isDeleted = false): Promise<string> {
  const categoryId = fixtures.uniqueId('category');
  const category = categoryRecord(createContext(), {
    categoryId,
    name: categoryId,
    isDeleted,
    createdAt: new Date(),
  });
  await fixtures.gateway.services.store.collections.categories.insertOne(category);
  return categoryId;
}

/** Whether a list lacks the record that the case created last. */
const lacks = (fixtures: () => string) => (answer: unknown) => !JSON.stringify(answer).includes(`"${fixtures()}"`);
let last = '';

const READS: MatrixCase[] = Object.entries(STATES).flatMap(([situation, isDeleted]): MatrixCase[] => [
  {
    operation: 'role',
    situation,
    document: 'query ($roleId: String!) { answer: role(roleId: $roleId) { roleId } }',
    prepare: async (fixtures) => ({ roleId: await roleIn(fixtures, isDeleted) }),
    rest: ({ roleId }) => ({ method: 'GET', path: `/api/v3/roles/${roleId}` }),
  },
  {
    operation: 'roles',
    situation,
    document: 'query ($keyword: String!) { answer: roles(keyword: $keyword) { edges { node { roleId } } } }',
    async prepare(fixtures) {
      last = await roleIn(fixtures, isDeleted);
      return { keyword: last };
    },
    isAbsent: lacks(() => last),
    isAbsentInRest: emptyIn('roles'),
    rest: ({ keyword }) => ({ method: 'GET', path: `/api/v3/roles?keyword=${keyword}` }),
  },
  {
    operation: 'category',
    situation,
    document: 'query ($categoryId: String!) { answer: category(categoryId: $categoryId) { categoryId } }',
    prepare: async (fixtures) => ({ categoryId: await categoryIn(fixtures, isDeleted) }),
    rest: ({ categoryId }) => ({ method: 'GET', path: `/api/v3/community-categories/${categoryId}` }),
  },
  {
    operation: 'categories',
    situation,
    document: '{ answer: categories(sortBy: LAST_CREATED, isDeleted: null) { edges { node { categoryId } } } }',
    async prepare(fixtures) {
      last = await categoryIn(fixtures, isDeleted);
      return { categoryId: last };
    },
    isAbsent: lacks(() => last),
    isAbsentInRest: isMissingFrom('categories', 'categoryId'),
    rest: () => ({ method: 'GET', path: '/api/v3/community-categories?sortBy=lastCreated' }),
  },
]);

const role = 'within one’s own rank';

const CHANGES: MatrixCase[] = [
  mutationCase('createRole', role, {
    select: 'role { roleId }',
    prepare: (fixtures) => ({
      roleId: fixtures.uniqueId('made'),
      displayName: 'Made',
      permissions: ['EDIT_USER'],
      rank: 10,
    }),
  }),
  mutationCase('updateRole', role, {
    select: 'role { roleId }',
    prepare: async (fixtures) => ({ roleId: await roleIn(fixtures), displayName: 'Changed' }),
  }),
  mutationCase('deleteRole', role, {
    select: 'role { roleId }',
    prepare: async (fixtures) => ({ roleId: await roleIn(fixtures) }),
  }),
  mutationCase('createCategory', 'a new one', {
    select: 'category { categoryId }',
    prepare: (fixtures) => ({ name: fixtures.uniqueId('category') }),
  }),
  mutationCase('updateCategory', 'a live one', {
    select: 'category { categoryId }',
    prepare: async (fixtures) => ({ categoryId: await categoryIn(fixtures), name: 'Changed' }),
  }),
  mutationCase('deleteCategory', 'a live one', {
    select: 'category { categoryId }',
    prepare: async (fixtures) => ({ categoryId: await categoryIn(fixtures) }),
  }),
];

export const REFERENCE_CASES: MatrixCase[] = [...READS, ...CHANGES];
