import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { findInsideCommunity } from '../../community/get-community.ts';
import { getUser } from '../../user/get-user.ts';

/** @throws {OperationError} NOT_FOUND when the viewer does not see inside the community, or does not see the user */
export async function requireTarget(
  context: Context,
  { targetType, targetId }: Pick<PostRecord, 'targetType' | 'targetId'>,
): Promise<void> {
  if (targetType === 'community') {
    if (!(await findInsideCommunity(context, targetId))) throw notFound('Community');
  } else if (!(await getUser(context, { userId: targetId }))) throw notFound('User');
}
