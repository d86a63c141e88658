import { useMutation } from '@apollo/client/react';
import { AddLikeDocument, type PostItemFragment, RemoveLikeDocument } from '../../generated/operations.ts';
import { report } from '../ui/notice.tsx';

/** Shows the new state immediately; the answer of the gateway replaces it. */
export function LikeButton({ post }: { post: PostItemFragment }) {
  const { id, postId, myReactions, reactionsCount } = post;
  const [add] = useMutation(AddLikeDocument);
  const [remove] = useMutation(RemoveLikeDocument);
  const isLiked = myReactions.includes('like');
  const reference = (change: 1 | -1) => ({
    __typename: 'Post' as const,
    id,
    reactionsCount: reactionsCount + change,
    myReactions: change === 1 ? [...myReactions, 'like'] : myReactions.filter((name) => name !== 'like'),
  });

  async function toggle(): Promise<void> {
    const variables = { postId };
    const { data } = isLiked
      ? await remove({
          variables,
          optimisticResponse: {
            __typename: 'Mutation',
            removeReaction: { __typename: 'RemoveReactionPayload', reference: reference(-1) },
          },
        })
      : await add({
          variables,
          optimisticResponse: {
            __typename: 'Mutation',
            addReaction: { __typename: 'AddReactionPayload', reference: reference(1) },
          },
        });
    for (const result of Object.values(data ?? {}))
      if (typeof result === 'object' && 'message' in result) report(result.message);
  }

  return (
    <button type="button" aria-pressed={isLiked} onClick={() => toggle().catch(report)}>
      <span aria-hidden="true">{isLiked ? '♥' : '♡'}</span> Like · {reactionsCount}
    </button>
  );
}
