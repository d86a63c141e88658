import { type Context, viewerOf } from '../../../context.ts';
import type { PinRecord, PinTargetRecord } from '../../../store/records/community.ts';
import { findInsideCommunity } from '../../community/get-community.ts';

/** The time of the last pin in a place; null before the first pin and for users without access to the place. */
export async function getPinTarget(
  context: Context,
  { targetType, targetId }: Pick<PinRecord, 'targetType' | 'targetId'>,
): Promise<PinTargetRecord | null> {
  const { networkId } = viewerOf(context);
  if (targetType === 'community' && !(await findInsideCommunity(context, targetId))) return null;
  if (targetType === 'messageFeed' || (targetType === 'network' && targetId !== networkId)) return null;
  return context.load.pinTargets.load([targetType, targetId]);
}
