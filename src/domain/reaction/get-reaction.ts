import { type Context, viewerOf } from '../../context.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import { getComment } from '../comment/get-comment.ts';
import { getMessage } from '../message/get-message.ts';
import { getPost } from '../post/get-post.ts';
import { getStory } from '../story/get-story.ts';

/** A reaction, or null unless it is the viewer's own or the viewer sees its record. */
export async function getReaction(
  context: Context,
  { reactionId }: { reactionId: string },
): Promise<ReactionRecord | null> {
  const viewer = viewerOf(context);
  const reaction = await context.load.reactions.load(reactionId);
  if (!reaction || reaction.userId === viewer.userId) return reaction;
  return (await canSeeReference(context, reaction)) ? reaction : null;
}

/** Whether the viewer sees the record of a reaction. */
export async function canSeeReference(
  context: Context,
  { referenceType, referenceId }: Pick<ReactionRecord, 'referenceType' | 'referenceId'>,
): Promise<boolean> {
  switch (referenceType) {
    case 'post':
      return (await getPost(context, { postId: referenceId })) !== null;
    case 'comment':
      return (await getComment(context, { commentId: referenceId })) !== null;
    case 'story':
      return (await getStory(context, { storyId: referenceId })) !== null;
    case 'message':
      return (await getMessage(context, { messageId: referenceId })) !== null;
  }
}
