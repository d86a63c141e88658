import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { id, ids, json, tags, text } from '../input.ts';

/** Fields that creating and updating a community accept. */
export const communityFields = {
  displayName: text({ max: 100 }).describe('Display name.'),
  description: text({ min: 0, max: 1_000 }).nullish().describe('Description.'),
  avatarFileId: id().nullish().describe('File id of the avatar: an image that the viewer uploaded.'),
  isPublic: z
    .boolean()
    .nullish()
    .describe('Whether users who are not members can read posts and members. Default on creation: true.'),
  isDiscoverable: z
    .boolean()
    .nullish()
    .describe(
      'Whether users who are not members can find a private community and request to join. Default on creation, and when `isPublic` changes: the value of `isPublic`.',
    ),
  requiresJoinApproval: z
    .boolean()
    .nullish()
    .describe('Whether a moderator must approve new members. Default on creation: false.'),
  onlyAdminCanPost: z.boolean().nullish().describe('Whether only moderators can post. Default on creation: false.'),
  needApprovalOnPostCreation: z
    .boolean()
    .nullish()
    .describe('Whether posts of members must be approved by a moderator. Default on creation: false.'),
  allowCommentInStory: z
    .boolean()
    .nullish()
    .describe('Whether users can comment on stories. Default on creation: true.'),
  tags: tags().nullish().describe('Tags.'),
  categoryIds: ids({ max: 20 }).nullish().describe('Public ids of the categories.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
};

/** @throws {OperationError} NOT_FOUND for a category that does not exist or is deleted */
export async function checkCategories(context: Context, categoryIds: readonly string[] = []): Promise<void> {
  const found = await Promise.all(categoryIds.map((categoryId) => context.load.categories.load(categoryId)));
  if (found.every((category) => category && !category.isDeleted)) return;
  throw new OperationError('NOT_FOUND', { message: 'Category not found.', path: ['categoryIds'] });
}

export const communityIdInput = z.object({ communityId: id().describe('Public id of the community.') });
