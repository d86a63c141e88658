import { useApolloClient, useQuery } from '@apollo/client/react';
import { CommentsDocument, CreateCommentDocument } from '../../generated/operations.ts';
import { addComment } from '../api/lists.ts';
import { send } from '../api/send.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Composer } from '../ui/composer.tsx';
import { Time } from '../ui/time.tsx';

/** The comments of a post, oldest of the loaded ones first. */
export function Comments({ postId }: { postId: string }) {
  const client = useApolloClient();
  const { data, fetchMore } = useQuery(CommentsDocument, { variables: { postId } });
  const connection = data?.post?.comments;

  async function create(text: string): Promise<void> {
    const input = { referenceType: 'POST', referenceId: postId, data: { text } } as const;
    const { createComment } = await send(client, CreateCommentDocument, input);
    if (createComment.__typename === 'CreateCommentPayload') addComment(client.cache, createComment.comment);
  }

  return (
    <section className="comments" aria-label="Comments">
      {connection?.pageInfo.hasNextPage && (
        <button
          type="button"
          className="quiet"
          onClick={() => fetchMore({ variables: { after: connection.pageInfo.endCursor } })}
        >
          Older comments
        </button>
      )}
      <ol>
        {[...(connection?.edges ?? [])]
          .reverse()
          .filter(({ node }) => !node.isDeleted)
          .map(({ node }) => (
            <li key={node.id}>
              <Avatar user={node.author} />
              <div>
                <strong>{node.author?.displayName}</strong> <Time at={node.createdAt} />
                <p className="text">{String(node.data.text ?? '')}</p>
              </div>
            </li>
          ))}
      </ol>
      <Composer label="Write a comment" button="Comment" onSubmit={create} />
    </section>
  );
}
