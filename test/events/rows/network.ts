import { newName } from './made.ts';
import type { EventRow, Expected, World } from './row.ts';

const ofRole = (what: string, roleId: string) =>
  [`role.${what}`, `default/role/${roleId}`, { roleId }] as unknown as Expected;
const ofCategory = (what: string, categoryId: string) =>
  [`category.${what}`, `default/category/${categoryId}`, { categoryId }] as unknown as Expected;
const ofFile = (what: string, fileId: string) =>
  [`file.${what}`, `default/file/${fileId}`, { fileId }] as unknown as Expected;

const roleNamed = (roleId: string) => ({ roleId, displayName: 'A row', permissions: ['PIN_COMMUNITY_POST'], rank: 5 });

async function newRole(world: World): Promise<string> {
  const roleId = newName('role');
  await world.make('admin', 'createRole', roleNamed(roleId), 'clientMutationId');
  return roleId;
}

async function newCategory(world: World): Promise<string> {
  const { category } = await world.make('admin', 'createCategory', { name: 'A row' }, 'category { categoryId }');
  return category.categoryId;
}

/** What belongs to the whole network: roles, categories, and the records of files. */
export const NETWORK_ROWS: EventRow[] = [
  {
    operation: 'createRole',
    situation: 'under a new name',
    prepare() {
      const roleId = newName('role');
      return { as: 'admin', input: roleNamed(roleId), events: [ofRole('created', roleId)] };
    },
  },
  {
    operation: 'createRole',
    situation: 'under a name that is taken: fails in the transaction',
    async prepare(world) {
      return { as: 'admin', input: roleNamed(await newRole(world)), code: 'DUPLICATE' };
    },
  },
  {
    operation: 'updateRole',
    situation: 'another rank',
    async prepare(world) {
      const roleId = await newRole(world);
      return { as: 'admin', input: { roleId, rank: 6 }, events: [ofRole('updated', roleId)] };
    },
  },
  {
    operation: 'updateRole',
    situation: 'nothing is named',
    async prepare(world) {
      return { as: 'admin', input: { roleId: await newRole(world), displayName: null } };
    },
  },
  {
    operation: 'updateRole',
    situation: 'without the right',
    async prepare(world) {
      return { as: 'bob', input: { roleId: await newRole(world), rank: 6 }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'deleteRole',
    situation: 'one that the network added',
    async prepare(world) {
      const roleId = await newRole(world);
      return { as: 'admin', input: { roleId }, events: [ofRole('deleted', roleId)] };
    },
  },
  {
    operation: 'createCategory',
    situation: 'with a name',
    prepare: () => ({
      as: 'admin',
      input: { name: 'A row' },
      select: 'category { categoryId }',
      events: ({ category }) => [ofCategory('created', category.categoryId)],
    }),
  },
  {
    operation: 'updateCategory',
    situation: 'another name',
    async prepare(world) {
      const categoryId = await newCategory(world);
      return { as: 'admin', input: { categoryId, name: 'New' }, events: [ofCategory('updated', categoryId)] };
    },
  },
  {
    operation: 'updateCategory',
    situation: 'nothing is named',
    async prepare(world) {
      return { as: 'admin', input: { categoryId: await newCategory(world) } };
    },
  },
  {
    operation: 'deleteCategory',
    situation: 'one that stands',
    async prepare(world) {
      const categoryId = await newCategory(world);
      return { as: 'admin', input: { categoryId }, events: [ofCategory('deleted', categoryId)] };
    },
  },
  {
    operation: 'deleteCategory',
    situation: 'one that is deleted',
    async prepare(world) {
      const categoryId = await newCategory(world);
      await world.make('admin', 'deleteCategory', { categoryId }, 'clientMutationId');
      return { as: 'admin', input: { categoryId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'updateFile',
    situation: 'what is said of it',
    prepare: () => ({
      as: 'carol',
      input: { fileId: 'leaf-spot', altText: 'A row' },
      events: [ofFile('updated', 'leaf-spot')],
    }),
  },
  {
    operation: 'updateFile',
    situation: 'nothing is named',
    prepare: () => ({ as: 'carol', input: { fileId: 'leaf-spot' } }),
  },
  {
    operation: 'updateFile',
    situation: 'of another user',
    prepare: () => ({ as: 'bob', input: { fileId: 'leaf-spot', altText: 'Mine' }, code: 'PERMISSION_DENIED' }),
  },
  {
    operation: 'deleteFile',
    situation: 'of its owner',
    prepare: () => ({ as: 'carol', input: { fileId: 'blackbird' }, events: [ofFile('deleted', 'blackbird')] }),
  },
];
