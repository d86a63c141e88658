import type { ApolloCache, Reference } from '@apollo/client';
import type { CommentItemFragment, MessageItemFragment, PostItemFragment } from '../../generated/operations.ts';

/** A connection as the cache stores it. */
interface StoredConnection {
  edges: Array<{ __typename: string; cursor: string; node: Reference }>;
}

interface Change {
  /** The record that has the connection; null for the query itself. */
  owner: { __typename: string; id: string } | null;
  field: string;
  node: { __typename: string; id: string };
  at: 'start' | 'end';
}

/** Adds a post to the feed, unless it is there. Pictures of a post are posts with a parent, which the feed does not list. */
export function addPost(cache: ApolloCache, post: PostItemFragment): void {
  if (post.parentPostId === null) add(cache, { owner: null, field: 'globalFeed', node: post, at: 'start' });
}

/** Adds a comment to its post, if the comments of the post are loaded. */
export function addComment(cache: ApolloCache, comment: CommentItemFragment): void {
  if (comment.parentId !== null || comment.referenceType !== 'POST') return;
  const post = findPost(cache, comment.referenceId);
  if (post) add(cache, { owner: post, field: 'comments', node: comment, at: 'start' });
}

/** Adds a message to its feed, if messages of the feed are loaded. */
export function addMessage(cache: ApolloCache, message: MessageItemFragment): void {
  if (message.messageFeed) {
    add(cache, { owner: message.messageFeed, field: 'messages', node: message, at: 'start' });
  }
}

function add(cache: ApolloCache, { owner, field, node, at }: Change): void {
  const id = owner ? cache.identify(owner)! : 'ROOT_QUERY';
  cache.modify<Record<string, StoredConnection>>({
    id,
    fields: {
      [field](value, { toReference }) {
        const list = value as StoredConnection;
        const reference = toReference(node)!;
        if (list.edges.some((edge) => edge.node.__ref === reference.__ref)) return list;
        const edge = { __typename: `${node.__typename}Edge`, cursor: '', node: reference };
        return { ...list, edges: at === 'start' ? [edge, ...list.edges] : [...list.edges, edge] };
      },
    },
  });
}

/** The cached post with a public id. */
export function findPost(cache: ApolloCache, postId: string): { __typename: string; id: string } | null {
  const records = cache.extract() as Record<string, { __typename?: string; id?: string; postId?: string }>;
  const found = Object.values(records).find((record) => record.__typename === 'Post' && record.postId === postId);
  return found ? { __typename: 'Post', id: found.id! } : null;
}
