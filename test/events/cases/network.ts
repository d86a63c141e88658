import { uniqueName } from './content-fixtures.ts';
import type { CaseContext, EventCase, ExpectedEvent } from './event-case.ts';

const roleEvent = (change: string, roleId: string) =>
  [`role.${change}`, `default/role/${roleId}`, { roleId }] as unknown as ExpectedEvent;
const categoryEvent = (change: string, categoryId: string) =>
  [`category.${change}`, `default/category/${categoryId}`, { categoryId }] as unknown as ExpectedEvent;
const fileEvent = (change: string, fileId: string) =>
  [`file.${change}`, `default/file/${fileId}`, { fileId }] as unknown as ExpectedEvent;

const roleInput = (roleId: string) => ({
  roleId,
  displayName: 'An example',
  permissions: ['PIN_COMMUNITY_POST'],
  rank: 5,
});

async function createRole(context: CaseContext): Promise<string> {
  const roleId = uniqueName('role');
  await context.mutate('admin', 'createRole', roleInput(roleId), 'clientMutationId');
  return roleId;
}

async function createCategory(context: CaseContext): Promise<string> {
  const { category } = await context.mutate(
    'admin',
    'createCategory',
    { name: 'An example' },
    'category { categoryId }',
  );
  return category.categoryId;
}

/** Roles, categories and file records of the network. */
export const NETWORK_CASES: EventCase[] = [
  {
    operation: 'createRole',
    situation: 'with a new id',
    prepare() {
      const roleId = uniqueName('role');
      return { as: 'admin', input: roleInput(roleId), events: [roleEvent('created', roleId)] };
    },
  },
  {
    operation: 'createRole',
    situation: 'with an id that is taken: fails in the transaction',
    async prepare(context) {
      return { as: 'admin', input: roleInput(await createRole(context)), code: 'DUPLICATE' };
    },
  },
  {
    operation: 'updateRole',
    situation: 'its rank',
    async prepare(context) {
      const roleId = await createRole(context);
      return { as: 'admin', input: { roleId, rank: 6 }, events: [roleEvent('updated', roleId)] };
    },
  },
  {
    operation: 'updateRole',
    situation: 'without a change',
    async prepare(context) {
      return { as: 'admin', input: { roleId: await createRole(context) } };
    },
  },
  {
    operation: 'updateRole',
    situation: 'without permission',
    async prepare(context) {
      return { as: 'bob', input: { roleId: await createRole(context), rank: 6 }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'deleteRole',
    situation: 'a role that the network added',
    async prepare(context) {
      const roleId = await createRole(context);
      return { as: 'admin', input: { roleId }, events: [roleEvent('deleted', roleId)] };
    },
  },
  {
    operation: 'createCategory',
    situation: 'with a name',
    prepare: () => ({
      as: 'admin',
      input: { name: 'An example' },
      select: 'category { categoryId }',
      events: ({ category }) => [categoryEvent('created', category.categoryId)],
    }),
  },
  {
    operation: 'updateCategory',
    situation: 'its name',
    async prepare(context) {
      const categoryId = await createCategory(context);
      return { as: 'admin', input: { categoryId, name: 'New' }, events: [categoryEvent('updated', categoryId)] };
    },
  },
  {
    operation: 'updateCategory',
    situation: 'without a change',
    async prepare(context) {
      return { as: 'admin', input: { categoryId: await createCategory(context) } };
    },
  },
  {
    operation: 'deleteCategory',
    situation: 'an existing category',
    async prepare(context) {
      const categoryId = await createCategory(context);
      return { as: 'admin', input: { categoryId }, events: [categoryEvent('deleted', categoryId)] };
    },
  },
  {
    operation: 'deleteCategory',
    situation: 'a deleted category',
    async prepare(context) {
      const categoryId = await createCategory(context);
      await context.mutate('admin', 'deleteCategory', { categoryId }, 'clientMutationId');
      return { as: 'admin', input: { categoryId }, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'uploadFiles',
    situation: 'two files',
    prepare: () => ({
      as: 'carol',
      input: { files: [new File(['One'], 'one.txt'), new File(['Two'], 'two.txt')] },
      select: 'files { fileId }',
      events: ({ files }) => files.map(({ fileId }: { fileId: string }) => fileEvent('created', fileId)),
    }),
  },
  {
    operation: 'updateFile',
    situation: 'its alternative text',
    prepare: () => ({
      as: 'carol',
      input: { fileId: 'leaf-spot', altText: 'An example' },
      events: [fileEvent('updated', 'leaf-spot')],
    }),
  },
  {
    operation: 'updateFile',
    situation: 'without a change',
    prepare: () => ({ as: 'carol', input: { fileId: 'leaf-spot' } }),
  },
  {
    operation: 'updateFile',
    situation: 'of another user',
    prepare: () => ({ as: 'bob', input: { fileId: 'leaf-spot', altText: 'Mine' }, code: 'PERMISSION_DENIED' }),
  },
  {
    operation: 'deleteFile',
    situation: 'by its owner',
    prepare: () => ({ as: 'carol', input: { fileId: 'blackbird' }, events: [fileEvent('deleted', 'blackbird')] }),
  },
];
