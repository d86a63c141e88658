import { ObjectId } from 'mongodb';
import { refusalToStory } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { type CommunityPlace, findCommunity } from '../community/get-community.ts';
import { assertMembershipUnchanged } from '../community/members/assert-membership-unchanged.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { mentionedUsers, requireStillMentionable } from '../user/lookup/mentioned-users.ts';
import { storyContent } from './story-content.ts';
import { storyEvent } from './story-events.ts';
import { type CreateStoryInput, createStoryInput, DAY_MS, MAX_STORY_MS, type NewStoryInput } from './story-input.ts';
import { raiseStoryTarget } from './update-story-target.ts';

/**
 * Publishes a story in a community or on the viewer's own profile. It expires after a day by default.
 *
 * @throws {OperationError} NOT_FOUND if the target or a file does not exist or is not visible; BANNED;
 *   PERMISSION_DENIED without MANAGE_COMMUNITY_STORY in a community, and on other users' profiles; INVALID_PARAMETERS
 *   for an expiry in the past or more than 7 days ahead
 */
export async function createStory(context: Context, input: CreateStoryInput): Promise<StoryRecord> {
  const given = validate(createStoryInput, input);
  const expiresAt = expiryOf(context, given);
  const place = await requireTarget(context, given);
  const [data, mentionees] = await Promise.all([
    storyContent(context, given),
    mentionedUsers(context, given.mentionees ?? []),
  ]);
  const story = newStory(context, given, { data, mentionedUsers: mentionees, expiresAt });
  await context.transaction(
    async (session) => {
      if (place) await assertMembershipUnchanged(context, session, place);
      await requireStillMentionable(context, session, mentionees);
      await raiseStoryTarget(context, session, story);
      await context.store.collections.stories.insertOne(story, { session });
      await appendEvents(context, session, [storyEvent('story.created', story)]);
    },
    lockFor(context, given.targetType, given.targetId),
  );
  return story;
}

function expiryOf(context: Context, { expiresAt }: NewStoryInput): Date {
  const now = context.now().getTime();
  if (!expiresAt) return new Date(now + DAY_MS);
  const left = expiresAt.getTime() - now;
  if (left > 0 && left <= MAX_STORY_MS) return expiresAt;
  const detail = ['expiresAt: must be in the future and at most 7 days ahead'];
  throw new OperationError('INVALID_PARAMETERS', { detail, path: ['expiresAt'] });
}

async function requireTarget(
  context: Context,
  { targetType, targetId }: NewStoryInput,
): Promise<CommunityPlace | null> {
  const viewer = viewerOf(context);
  const place = targetType === 'community' ? await findCommunity(context, targetId) : null;
  const owner = place ? place.community : targetType === 'user' ? await context.load.users.load(targetId) : null;
  if (!owner || owner.isDeleted) throw notFound(targetType === 'community' ? 'Community' : 'User');
  const refusal = refusalToStory(viewer, { place, targetId });
  if (refusal) throw new OperationError(refusal);
  return place;
}

type ResolvedFields = Pick<StoryRecord, 'data' | 'mentionedUsers' | 'expiresAt'>;

function newStory(context: Context, given: NewStoryInput, resolved: ResolvedFields): StoryRecord {
  const { networkId, userId, userInternalId } = viewerOf(context);
  const { targetType, targetId, dataType } = given;
  const _id = new ObjectId();
  const storyId = _id.toHexString();
  const now = context.now();
  return {
    ...resolved,
    _id,
    networkId,
    storyId,
    path: `${networkId}/social/${targetType}/${targetId}/story/${storyId}`,
    userId,
    userInternalId,
    targetType,
    targetId,
    dataType,
    items: (given.items ?? []).map(({ type, data: { url, customText } }) => ({
      type,
      data: { url, ...(customText && { customText }) },
    })),
    metadata: given.metadata ?? {},
    referenceId: given.referenceId ?? null,
    flagCount: 0,
    hashFlag: null,
    reactionsCount: 0,
    reactions: {},
    commentsCount: 0,
    comments: [],
    impression: 0,
    reach: 0,
    isDeleted: false,
    hasFlaggedComment: false,
    createdAt: now,
    updatedAt: now,
  };
}
