import type { z } from 'zod';
import { canDeleteCommunity } from '../../access/community.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { CommunityRecord } from '../../store/records/community.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { deleteCommunityChannel } from '../channel/community-chat/community-channel.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { indexCommunity } from '../search-index/index-record.ts';
import { communityEvent } from './community-events.ts';
import { communityIdInput } from './community-fields.ts';
import { requireCommunityRight } from './members/require-community-right.ts';
import { requireCommunity } from './require-community.ts';

/**
 * Deletes a community and its chat. Its posts become invisible; files are kept.
 *
 * @throws {OperationError} NOT_FOUND when the viewer does not see it or it is already deleted; BANNED;
 *   PERMISSION_DENIED
 */
export async function deleteCommunity(
  context: Context,
  input: z.input<typeof communityIdInput>,
): Promise<CommunityRecord> {
  const { communityId } = validate(communityIdInput, input);
  const place = await requireCommunity(context, communityId, canDeleteCommunity);
  const { community } = place;
  const deleted = await context.transaction(
    async (session) => {
      await requireCommunityRight(context, session, place, canDeleteCommunity);
      const gone = await context.store.collections.communities.findOneAndUpdate(
        { networkId: community.networkId, communityId, isDeleted: false },
        { $set: { isDeleted: true, updatedAt: context.now() } },
        { session, returnDocument: 'after' },
      );
      if (!gone) throw notFound('Community');
      await indexCommunity(context, session, gone);
      const chat = await deleteCommunityChannel(context, session, gone);
      await recordAudit(context, session, [
        { subjectType: 'community', subjectId: communityId, communityId, affectedUserId: community.userId },
      ]);
      await appendEvents(context, session, [communityEvent('community.deleted', gone), ...chat]);
      return gone;
    },
    lockFor(context, 'community', communityId),
  );
  context.load.communities.clear(communityId).prime(communityId, deleted);
  return deleted;
}
