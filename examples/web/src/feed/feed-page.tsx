import { useQuery } from '@apollo/client/react';
import { FeedDocument } from '../../generated/operations.ts';
import { NewPost } from './new-post.tsx';
import { Post } from './post.tsx';

export function FeedPage() {
  const { data, error, fetchMore } = useQuery(FeedDocument);
  const feed = data?.globalFeed;
  const posts = feed?.edges.map(({ node }) => node).filter(({ isDeleted }) => !isDeleted);
  return (
    <div className="feed">
      <NewPost />
      {error && !feed && <p role="alert">The feed could not be loaded: {error.message}</p>}
      {posts?.length === 0 && <p className="empty">Nothing yet. Join a community, or write the first post.</p>}
      {posts?.map((post) => (
        <Post key={post.id} post={post} />
      ))}
      {feed?.pageInfo.hasNextPage && (
        <button
          type="button"
          className="more"
          onClick={() => fetchMore({ variables: { after: feed.pageInfo.endCursor } })}
        >
          Older posts
        </button>
      )}
    </div>
  );
}
