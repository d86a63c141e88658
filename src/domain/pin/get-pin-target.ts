import { type Context, viewerOf } from '../../context.ts';
import type { PinRecord, PinTargetRecord } from '../../store/records/community.ts';
import { findInsideCommunity } from '../community/get-community.ts';

/** When something was last pinned in a place, by whoever sees inside it; null before the first pin. */
export async function getPinTarget(
  context: Context,
  { targetType, targetId }: Pick<PinRecord, 'targetType' | 'targetId'>,
): Promise<PinTargetRecord | null> {
  const { networkId } = viewerOf(context);
  if (targetType === 'community' && !(await findInsideCommunity(context, targetId))) return null;
  if (targetType === 'messageFeed' || (targetType === 'network' && targetId !== networkId)) return null;
  return context.load.pinTargets.load([targetType, targetId]);
}
