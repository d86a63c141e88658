import { categoryRecord } from '../../../src/sample/builders/community.ts';
import { roleRecord } from '../../../src/sample/builders/user.ts';
import { createSampleContext } from '../../../src/sample/context.ts';
import { emptyIn, lacksIn, mutationScene, type Scene } from '../scene.ts';
import type { World } from '../world.ts';

const contextOf = () => createSampleContext({ networkId: 'default', now: new Date() });
const STATES = { 'a live one': false, 'a deleted one': true };

async function roleIn(world: World, isDeleted = false): Promise<string> {
  const roleId = world.fresh('role');
  const role = { roleId, displayName: roleId, permissions: ['MUTE_CHANNEL'], rank: 5, isDeleted };
  await world.gateway.services.store.collections.roles.insertOne(roleRecord(contextOf(), role));
  return roleId;
}

async function categoryIn(world: World, isDeleted = false): Promise<string> {
  const categoryId = world.fresh('category');
  const category = categoryRecord(contextOf(), {
    categoryId,
    name: categoryId,
    isDeleted,
    createdAt: new Date(),
  });
  await world.gateway.services.store.collections.categories.insertOne(category);
  return categoryId;
}

/** Whether a list lacks the record that the scene made last. */
const lacks = (world: () => string) => (answer: unknown) => !JSON.stringify(answer).includes(`"${world()}"`);
let last = '';

const READS: Scene[] = Object.entries(STATES).flatMap(([situation, isDeleted]): Scene[] => [
  {
    operation: 'role',
    situation,
    document: 'query ($roleId: String!) { answer: role(roleId: $roleId) { roleId } }',
    prepare: async (world) => ({ roleId: await roleIn(world, isDeleted) }),
    rest: ({ roleId }) => ({ method: 'GET', path: `/api/v3/roles/${roleId}` }),
  },
  {
    operation: 'roles',
    situation,
    document: 'query ($keyword: String!) { answer: roles(keyword: $keyword) { edges { node { roleId } } } }',
    async prepare(world) {
      last = await roleIn(world, isDeleted);
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
    prepare: async (world) => ({ categoryId: await categoryIn(world, isDeleted) }),
    rest: ({ categoryId }) => ({ method: 'GET', path: `/api/v3/community-categories/${categoryId}` }),
  },
  {
    operation: 'categories',
    situation,
    document: '{ answer: categories(sortBy: LAST_CREATED, isDeleted: null) { edges { node { categoryId } } } }',
    async prepare(world) {
      last = await categoryIn(world, isDeleted);
      return { categoryId: last };
    },
    isAbsent: lacks(() => last),
    isAbsentInRest: lacksIn('categories', 'categoryId'),
    rest: () => ({ method: 'GET', path: '/api/v3/community-categories?sortBy=lastCreated' }),
  },
]);

const role = 'within one’s own rank';

const CHANGES: Scene[] = [
  mutationScene('createRole', role, {
    select: 'role { roleId }',
    prepare: (world) => ({ roleId: world.fresh('made'), displayName: 'Made', permissions: ['EDIT_USER'], rank: 10 }),
  }),
  mutationScene('updateRole', role, {
    select: 'role { roleId }',
    prepare: async (world) => ({ roleId: await roleIn(world), displayName: 'Changed' }),
  }),
  mutationScene('deleteRole', role, {
    select: 'role { roleId }',
    prepare: async (world) => ({ roleId: await roleIn(world) }),
  }),
  mutationScene('createCategory', 'a new one', {
    select: 'category { categoryId }',
    prepare: (world) => ({ name: world.fresh('category') }),
  }),
  mutationScene('updateCategory', 'a live one', {
    select: 'category { categoryId }',
    prepare: async (world) => ({ categoryId: await categoryIn(world), name: 'Changed' }),
  }),
  mutationScene('deleteCategory', 'a live one', {
    select: 'category { categoryId }',
    prepare: async (world) => ({ categoryId: await categoryIn(world) }),
  }),
];

export const REFERENCE_SCENES: Scene[] = [...READS, ...CHANGES];
