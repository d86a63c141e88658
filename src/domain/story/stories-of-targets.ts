import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { readKeyset } from '../../store/keyset.ts';
import type { StoryRecord, StoryTargetRecord } from '../../store/records/content.ts';
import { findInsideCommunity } from '../community/get-community.ts';
import { id, validate } from '../input.ts';
import { seesFeedOfUser } from '../user/follows/feed-privacy.ts';

/** Maximum targets per query. */
export const MAX_TARGETS = 10;
/** Maximum stories per query, over all targets. */
export const MAX_STORIES = 100;

const targets = z
  .array(z.object({ targetType: z.enum(['community', 'user']), targetId: id() }))
  .min(1, 'at least 1')
  .max(MAX_TARGETS, `at most ${MAX_TARGETS}`);
const storiesInput = z.object({ targets, oldestFirst: z.boolean().nullish() });

type Target = z.output<typeof targets>[number];

/**
 * The live stories of several communities and users that the viewer sees.
 * @throws {OperationError} INVALID_PARAMETERS without targets or for more than {@link MAX_TARGETS}
 */
export async function storiesOfTargets(context: Context, input: z.input<typeof storiesInput>): Promise<StoryRecord[]> {
  const { networkId } = viewerOf(context);
  const given = validate(storiesInput, input);
  const direction = given.oldestFirst ? 1 : -1;
  const found = await ofEachType(context, given.targets, (where) =>
    readKeyset({
      collection: context.store.collections.stories,
      budget: context.reads,
      filter: { networkId, ...where, isDeleted: false, expiresAt: { $gt: context.now() } },
      order: { field: 'createdAt', direction, type: 'date' },
      limit: MAX_STORIES,
    }),
  );
  return found
    .sort((one, other) => direction * (one.createdAt.getTime() - other.createdAt.getTime()))
    .slice(0, MAX_STORIES);
}

/**
 * Story targets by id, in the order of the input, without those that never had a story or that the viewer does not see.
 * @throws {OperationError} as {@link storiesOfTargets}
 */
export async function storyTargetsByIds(
  context: Context,
  input: { targets: z.input<typeof targets> },
): Promise<StoryTargetRecord[]> {
  const { networkId } = viewerOf(context);
  const given = validate(z.object({ targets }), input);
  const found = await ofEachType(context, given.targets, (where) =>
    context.store.collections.storyTargets.find({ networkId, ...where }).toArray(),
  );
  const known = new Map(found.map((target) => [nameOf(target), target]));
  return [...new Set(given.targets.map(nameOf))].flatMap((name) => known.get(name) ?? []);
}

/** Sends one command for the communities whose content the viewer sees and one for the users whose feed they see. */
async function ofEachType<Found>(
  context: Context,
  requested: readonly Target[],
  find: (where: { targetType: Target['targetType']; targetId: { $in: string[] } }) => Promise<Found[]>,
): Promise<Found[]> {
  const places = await Promise.all(
    requested.map(({ targetType, targetId }) =>
      targetType === 'user' ? seesFeedOfUser(context, targetId) : findInsideCommunity(context, targetId),
    ),
  );
  const seen = requested.filter((_, index) => places[index]);
  const lists = await Promise.all(
    (['community', 'user'] as const).map((targetType) => {
      const ids = seen.filter((target) => target.targetType === targetType).map(({ targetId }) => targetId);
      return ids.length > 0 ? find({ targetType, targetId: { $in: [...new Set(ids)] } }) : [];
    }),
  );
  return lists.flat();
}

function nameOf({ targetType, targetId }: Target): string {
  return `${targetType} ${targetId}`;
}
