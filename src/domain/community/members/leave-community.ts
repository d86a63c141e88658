import type { z } from 'zod';
import { isBannedFrom, isMember } from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { requireUsers } from '../../user/lookup/require-users.ts';
import { communityIdInput } from '../community-fields.ts';
import { findCommunity } from '../get-community.ts';
import { type ChangedMembers, changeMembers, invalidateMembers } from './change-members.ts';

/**
 * Ends the viewer's membership; does nothing for users who are no members.
 *
 * @throws {OperationError} NOT_FOUND when the viewer does not see the community; BANNED; LAST_MODERATOR while other
 *   members remain; LAST_MEMBER when none would remain: delete the community instead
 */
export async function leaveCommunity(
  context: Context,
  input: z.input<typeof communityIdInput>,
): Promise<ChangedMembers> {
  const viewer = viewerOf(context);
  const { communityId } = validate(communityIdInput, input);
  const place = await findCommunity(context, communityId);
  if (!place || place.community.isDeleted) throw notFound('Community');
  const { community, membership } = place;
  if (isBannedFrom(membership)) throw new OperationError('BANNED');
  if (!isMember(membership)) return { community, members: membership ? [membership] : [] };
  const users = await requireUsers(context, [viewer.userId]);
  const changed = await context.transaction(
    async (session) => {
      const left = await changeMembers(context, session, {
        community,
        users,
        to: 'none',
        reason: 'left',
        event: 'community.left',
        shouldChange: isMember,
      });
      await appendEvents(context, session, left.events);
      return left;
    },
    lockFor(context, 'community', communityId),
  );
  invalidateMembers(context, changed);
  return changed;
}
