import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { type CommentChange, countComment } from '../engagement/count-comment.ts';
import { getStory } from './get-story.ts';

/**
 * @throws {OperationError} NOT_FOUND, also for an expired story; FORBIDDEN where the community allows no comments on
 *   stories
 */
export async function commentableStory(context: Context, storyId: string): Promise<StoryRecord> {
  const story = await getStory(context, { storyId });
  if (!story || story.isDeleted || story.expiresAt <= context.now()) throw notFound('Story');
  if (!(await acceptsComments(context, story)))
    throw new OperationError('FORBIDDEN', { message: 'Stories of this community do not accept comments.' });
  return story;
}

/** Whether stories of the target accept comments. */
export async function acceptsComments(context: Context, { targetType, targetId }: StoryRecord): Promise<boolean> {
  if (targetType === 'user') return true;
  return (await context.load.communities.load(targetId))?.allowCommentInStory ?? false;
}

/** @throws {OperationError} NOT_FOUND when a comment is added and the story was deleted meanwhile */
export async function countCommentOnStory(
  context: Context,
  session: ClientSession,
  { storyId, ...change }: CommentChange & { storyId: string },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const filter = { networkId, storyId, ...(change.by > 0 && { isDeleted: false }) };
  const isCounted = await countComment({ ...change, session, collection: context.store.collections.stories, filter });
  if (!isCounted && change.by > 0) throw notFound('Story');
}

/** Sets whether a story has a flagged comment. */
export async function markCommentedStory(
  context: Context,
  session: ClientSession,
  { storyId, hasFlaggedComment }: { storyId: string; hasFlaggedComment: boolean },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const marks = { hasFlaggedComment, flagsChangedAt: context.now() };
  await context.store.collections.stories.updateOne({ networkId, storyId }, { $set: marks }, { session });
}
