import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { CommunityRecord } from '../../store/records/community.ts';
import { createCommunityChannel } from '../channel/community-chat/community-channel.ts';
import { newChannelId } from '../channel/new-channel.ts';
import { newFeeds } from '../feeds.ts';
import { usableFiles } from '../file/usable-files.ts';
import { userIds, validate } from '../input.ts';
import { indexCommunity } from '../search-index/index-record.ts';
import { requireNotBlocked } from '../user/blocks/blocks.ts';
import { requireUsers } from '../user/lookup/require-users.ts';
import { communityEvent } from './community-events.ts';
import { checkCategories, communityFields } from './community-fields.ts';
import { type ChangedMembers, changeMembers, invalidateMembers } from './members/change-members.ts';

export const createCommunityInput = z.object({
  ...communityFields,
  userIds: userIds({ min: 0 }).nullish().describe('Public ids of the initial members besides the viewer.'),
});
export type CreateCommunityInput = z.input<typeof createCommunityInput>;

/**
 * Creates a community with its feeds and its chat. The viewer becomes its moderator, the named users its first members.
 *
 * @throws {OperationError} INVALID_PARAMETERS; NOT_FOUND for a category, file or user; FORBIDDEN if a block
 *   exists between the viewer and one of the users
 */
export async function createCommunity(context: Context, given: CreateCommunityInput): Promise<ChangedMembers> {
  const viewer = viewerOf(context);
  const fields = validate(createCommunityInput, given);
  const categoryIds = fields.categoryIds ?? [];
  const others = (fields.userIds ?? []).filter((userId) => userId !== viewer.userId);
  const [[creator], users] = await Promise.all([
    requireUsers(context, [viewer.userId]),
    requireUsers(context, others),
    checkCategories(context, categoryIds),
    usableFiles(context, [fields.avatarFileId], { path: ['avatarFileId'] }),
  ]);
  const created = await context.transaction(async (session) => {
    await requireNotBlocked(context, others, { path: ['userIds'], session });
    const community = newCommunity(context, { ...fields, categoryIds });
    const chat = await createCommunityChannel(context, session, community);
    await context.store.collections.communities.insertOne(community, { session });
    await indexCommunity(context, session, community);
    const changed = await changeMembers(context, session, {
      community,
      users: [creator!, ...users],
      to: 'member',
      reason: null,
      event: null,
      shouldChange: () => true,
      moderators: [viewer.userId],
    });
    await appendEvents(context, session, [communityEvent('community.created', community), ...chat]);
    return changed;
  });
  invalidateMembers(context, created);
  return created;
}

function newCommunity(
  context: Context,
  fields: z.output<typeof createCommunityInput> & { categoryIds: string[] },
): CommunityRecord {
  const { networkId, userId, userInternalId } = viewerOf(context);
  const _id = new ObjectId();
  const now = context.now();
  return {
    _id,
    networkId,
    communityId: _id.toHexString(),
    channelId: newChannelId().toHexString(),
    displayName: fields.displayName,
    path: `${networkId}/social/community/${_id.toHexString()}`,
    userId,
    userInternalId,
    avatarFileId: fields.avatarFileId ?? null,
    description: fields.description ?? '',
    isOfficial: false,
    isPublic: fields.isPublic ?? true,
    onlyAdminCanPost: fields.onlyAdminCanPost ?? false,
    isDeleted: false,
    hasFlaggedComment: false,
    hasFlaggedPost: false,
    needApprovalOnPostCreation: fields.needApprovalOnPostCreation ?? false,
    allowCommentInStory: fields.allowCommentInStory ?? true,
    isDiscoverable: fields.isDiscoverable ?? fields.isPublic ?? true,
    requiresJoinApproval: fields.requiresJoinApproval ?? false,
    tags: fields.tags ?? [],
    categoryIds: fields.categoryIds,
    metadata: fields.metadata ?? {},
    postsCount: 0,
    membersCount: 0,
    moderatorMemberCount: 0,
    notificationMode: 'default',
    type: 'default',
    feeds: newFeeds(now),
    createdAt: now,
    updatedAt: now,
  };
}
