import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { id, ids, json, tags, text } from '../input.ts';

/** What may be said of a community when it is made or changed. */
export const communityFields = {
  displayName: text({ max: 100 }),
  description: text({ min: 0, max: 1_000 }).nullish(),
  avatarFileId: id().nullish(),
  isPublic: z.boolean().nullish(),
  isDiscoverable: z.boolean().nullish(),
  requiresJoinApproval: z.boolean().nullish(),
  onlyAdminCanPost: z.boolean().nullish(),
  needApprovalOnPostCreation: z.boolean().nullish(),
  allowCommentInStory: z.boolean().nullish(),
  tags: tags().nullish(),
  categoryIds: ids({ max: 20 }).nullish(),
  metadata: json().nullish(),
};

/** @throws {OperationError} NOT_FOUND for a category that is absent or deleted */
export async function checkCategories(context: Context, categoryIds: readonly string[] = []): Promise<void> {
  const found = await Promise.all(categoryIds.map((categoryId) => context.load.categories.load(categoryId)));
  if (found.every((category) => category && !category.isDeleted)) return;
  throw new OperationError('NOT_FOUND', { message: 'Category not found.', path: ['categoryIds'] });
}
