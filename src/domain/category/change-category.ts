import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { canCreateCategory, canDeleteCategory, canEditCategory } from '../../access/category.ts';
import { type Context, type Viewer, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { CategoryRecord } from '../../store/records/community.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { usableFiles } from '../file/usable-files.ts';
import { id, json, omitUndefined, text, validate, withoutNull } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { requireRightInNetwork } from '../user/roles/require-right.ts';
import { categoryEvent } from './category-events.ts';

const fields = {
  name: text({ max: 100 }).describe('Display name.'),
  avatarFileId: id().nullish().describe('File id of the avatar: an image that the viewer uploaded.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
};
export const createCategoryInput = z.object(fields);
export const deleteCategoryInput = z.object({ categoryId: id().describe('Public id of the category.') });
export const updateCategoryInput = deleteCategoryInput.extend({ ...fields, name: withoutNull(fields.name) });

export type CreateCategoryInput = z.input<typeof createCategoryInput>;
export type UpdateCategoryInput = z.input<typeof updateCategoryInput>;

/** Creates a category. @throws {OperationError} INVALID_PARAMETERS, PERMISSION_DENIED, NOT_FOUND for the avatar */
export async function createCategory(context: Context, input: CreateCategoryInput): Promise<CategoryRecord> {
  const viewer = viewerOf(context);
  const { name, avatarFileId = null, metadata } = validate(createCategoryInput, input);
  if (!canCreateCategory(viewer)) throw new OperationError('PERMISSION_DENIED');
  await usableFiles(context, [avatarFileId], { path: ['avatarFileId'] });
  const now = context.now();
  const _id = new ObjectId();
  const category: CategoryRecord = {
    _id,
    networkId: viewer.networkId,
    categoryId: _id.toHexString(),
    name,
    avatarFileId,
    metadata: metadata ?? {},
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
  };
  await context.transaction(async (session) => {
    await requireRightInNetwork(context, session, canCreateCategory);
    await context.store.collections.categories.insertOne(category, { session });
    await recordAudit(context, session, [{ subjectType: 'category', subjectId: category.categoryId }]);
    await appendEvents(context, session, [categoryEvent('category.created', category)]);
  });
  return category;
}

/** Changes a category. Absent fields stay; null clears. @throws {OperationError} also NOT_FOUND for the category */
export async function updateCategory(context: Context, input: UpdateCategoryInput): Promise<CategoryRecord> {
  const { categoryId, name, avatarFileId, metadata } = validate(updateCategoryInput, input);
  const category = await requireCategory(context, categoryId, canEditCategory);
  await usableFiles(context, [avatarFileId], { path: ['avatarFileId'], held: [category.avatarFileId] });
  const changes = omitUndefined({ name, avatarFileId, metadata: metadata === null ? {} : metadata });
  return Object.keys(changes).length === 0 ? category : write(context, categoryId, { may: canEditCategory, changes });
}

/** Deletes a category; communities keep its id but no longer show it. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED */
export async function deleteCategory(
  context: Context,
  input: z.input<typeof deleteCategoryInput>,
): Promise<CategoryRecord> {
  const { categoryId } = validate(deleteCategoryInput, input);
  await requireCategory(context, categoryId, canDeleteCategory);
  return write(context, categoryId, { may: canDeleteCategory, changes: { isDeleted: true } });
}

async function requireCategory(
  context: Context,
  categoryId: string,
  isAllowed: (viewer: Viewer) => boolean,
): Promise<CategoryRecord> {
  const viewer = viewerOf(context);
  const category = await context.load.categories.load(categoryId);
  if (!category || category.isDeleted) throw notFound('Category');
  if (!isAllowed(viewer)) throw new OperationError('PERMISSION_DENIED');
  return category;
}

/** Writes a category. This process sees the change immediately; other processes cache categories for a few seconds. */
async function write(
  context: Context,
  categoryId: string,
  { may, changes }: { may: (viewer: Viewer) => boolean; changes: Partial<CategoryRecord> },
): Promise<CategoryRecord> {
  const { networkId } = viewerOf(context);
  const changed = await context.transaction(
    async (session) => {
      await requireRightInNetwork(context, session, may);
      const after = await context.store.collections.categories.findOneAndUpdate(
        { networkId, categoryId, isDeleted: false },
        { $set: { ...changes, updatedAt: context.now() } },
        { session, returnDocument: 'after' },
      );
      if (!after) throw notFound('Category');
      await recordAudit(context, session, [{ subjectType: 'category', subjectId: categoryId }]);
      const name = changes.isDeleted ? 'category.deleted' : 'category.updated';
      await appendEvents(context, session, [categoryEvent(name, after)]);
      return after;
    },
    lockFor(context, 'record', `category ${categoryId}`),
  );
  await context.afterCommit(() => context.store.batchers.categories.invalidate(networkId, categoryId));
  context.load.categories.clear(categoryId).prime(categoryId, changed);
  return changed;
}
