import type { z } from 'zod';
import { canEditCommunity } from '../../access/community.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { CommunityRecord } from '../../store/records/community.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { updateCommunityChannel } from '../channel/community-chat/community-channel.ts';
import { differs } from '../differs.ts';
import { usableFiles } from '../file/usable-files.ts';
import { omitUndefined, validate, withoutNull } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { indexCommunity } from '../search-index/index-record.ts';
import { communityEvent } from './community-events.ts';
import { checkCategories, communityFields, communityIdInput } from './community-fields.ts';
import { requireCommunityRight } from './members/require-community-right.ts';
import { requireCommunity } from './require-community.ts';

export const updateCommunityInput = communityIdInput.extend({
  ...communityFields,
  displayName: withoutNull(communityFields.displayName),
  isPublic: withoutNull(communityFields.isPublic),
  isDiscoverable: withoutNull(communityFields.isDiscoverable),
  requiresJoinApproval: withoutNull(communityFields.requiresJoinApproval),
  onlyAdminCanPost: withoutNull(communityFields.onlyAdminCanPost),
  needApprovalOnPostCreation: withoutNull(communityFields.needApprovalOnPostCreation),
  allowCommentInStory: withoutNull(communityFields.allowCommentInStory),
});
export type UpdateCommunityInput = z.input<typeof updateCommunityInput>;

/**
 * Updates a community; absent fields are left unchanged, null clears. Its chat gets the same name, avatar and
 * visibility. A community that becomes private can no longer be found, unless the input says otherwise.
 *
 * @throws {OperationError} INVALID_PARAMETERS; NOT_FOUND for the community, a category or a file; BANNED;
 *   PERMISSION_DENIED
 */
export async function updateCommunity(context: Context, input: UpdateCommunityInput): Promise<CommunityRecord> {
  const { communityId, ...fields } = validate(updateCommunityInput, input);
  const place = await requireCommunity(context, communityId, canEditCommunity);
  const { community } = place;
  await Promise.all([
    checkCategories(
      context,
      (fields.categoryIds ?? []).filter((categoryId) => !community.categoryIds.includes(categoryId)),
    ),
    usableFiles(context, [fields.avatarFileId], { path: ['avatarFileId'], held: [community.avatarFileId] }),
  ]);
  const changes = { ...discoverabilityOf(fields, community), ...changesOf(fields) };
  const { networkId } = community;
  const changed = await context.transaction(
    async (session) => {
      await requireCommunityRight(context, session, place, canEditCommunity);
      const set = { ...changes, updatedAt: context.now() };
      const before = await context.store.collections.communities.findOneAndUpdate(
        { networkId, communityId, isDeleted: false },
        { $set: set },
        { session, returnDocument: 'before' },
      );
      if (!before) throw notFound('Community');
      const updated = { ...before, ...set };
      if (SEARCHED_FIELDS.some((name) => name in changes)) await indexCommunity(context, session, updated);
      const isChatNamed = CHANNEL_FIELDS.some((name) => name in changes);
      const chat = isChatNamed ? await updateCommunityChannel(context, session, updated) : [];
      const hasChanged = differs(before, changes);
      const details = { fields: Object.keys(changes) };
      const act = { subjectType: 'community', subjectId: communityId, communityId, details } as const;
      await recordAudit(context, session, hasChanged ? [{ ...act, affectedUserId: community.userId }] : []);
      await appendEvents(context, session, [
        ...(hasChanged ? [communityEvent('community.updated', updated)] : []),
        ...chat,
      ]);
      return updated;
    },
    lockFor(context, 'community', communityId),
  );
  context.load.communities.clear(communityId).prime(communityId, changed);
  return changed;
}

/** Fields that the chat copies from its community. */
const CHANNEL_FIELDS = ['displayName', 'avatarFileId', 'isPublic'] as const;

/** Fields that the search index contains. */
const SEARCHED_FIELDS = ['displayName', 'description', 'tags'] as const;

/** Clients that do not know `isDiscoverable` expect that nobody finds a private community. */
function discoverabilityOf(
  { isPublic, isDiscoverable }: Pick<z.output<typeof updateCommunityInput>, 'isPublic' | 'isDiscoverable'>,
  community: CommunityRecord,
): Partial<CommunityRecord> {
  const isChanged = isPublic !== undefined && isPublic !== community.isPublic;
  return isChanged && isDiscoverable === undefined ? { isDiscoverable: isPublic } : {};
}

/** Null clears. */
function changesOf({
  description,
  tags,
  categoryIds,
  metadata,
  ...others
}: Omit<z.output<typeof updateCommunityInput>, 'communityId'>): Partial<CommunityRecord> {
  return omitUndefined({
    ...others,
    description: description === null ? '' : description,
    tags: tags === null ? [] : tags,
    categoryIds: categoryIds === null ? [] : categoryIds,
    metadata: metadata === null ? {} : metadata,
  });
}
