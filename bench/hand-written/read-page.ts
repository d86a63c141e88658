import { canSeeInsideCommunity } from '../../src/access/community.ts';
import { canSeePost } from '../../src/access/post.ts';
import type { Viewer } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { Collections } from '../../src/store/collections.ts';
import { urlOfFile } from './shapes.ts';

/** The page of `page.ts`, hand-written for this selection: seven reads, nested like the response. */
export async function readPage(collections: Collections, viewer: Viewer, communityId: string): Promise<object> {
  const { networkId, userId } = viewer;
  const [community, membership] = await Promise.all([
    collections.communities.findOne({ networkId, communityId }),
    collections.communityUsers.findOne({ networkId, communityId, userId }),
  ]);
  if (!community || !canSeeInsideCommunity(viewer, community, membership)) throw new OperationError('NOT_FOUND');
  const found = await collections.posts
    .find({
      networkId,
      targetType: 'community',
      targetId: communityId,
      feedType: 'published',
      isDeleted: false,
      parentPostId: null,
    })
    .sort({ createdAt: -1, _id: -1 })
    .limit(21)
    .toArray();
  const posts = found.slice(0, 20).filter((post) => canSeePost(viewer, post, { community, membership, privacy: null }));
  const commentIds = posts.flatMap((post) => post.comments);
  const comments = await collections.comments.find({ networkId, commentId: { $in: commentIds } }).toArray();
  const reactedIds = [
    ...posts.filter((post) => post.reactionsCount > 0).map((post) => post.postId),
    ...comments.filter((comment) => comment.reactionsCount > 0).map((comment) => comment.commentId),
  ];
  const userIds = new Set([...posts.map((post) => post.postedUserId), ...comments.map((comment) => comment.userId)]);
  const [mine, users] = await Promise.all([
    collections.reactions.find({ networkId, userId, referenceId: { $in: reactedIds } }).toArray(),
    collections.users.find({ networkId, userId: { $in: [...userIds] } }).toArray(),
  ]);
  const fileIds = users.flatMap((user) => user.avatarFileId ?? []);
  const files = await collections.files.find({ networkId, fileId: { $in: fileIds } }).toArray();

  const commentsById = new Map(comments.map((comment) => [comment.commentId, comment]));
  const filesById = new Map(files.map((file) => [file.fileId, file]));
  const reactionsById = new Map<string, string[]>();
  for (const { referenceId, reactionName } of mine) {
    const names = reactionsById.get(referenceId);
    if (names) names.push(reactionName);
    else reactionsById.set(referenceId, [reactionName]);
  }
  const usersById = new Map(
    users.map(({ userId, displayName, avatarFileId }) => {
      const avatar = avatarFileId ? filesById.get(avatarFileId) : undefined;
      return [userId, { userId, displayName, avatar: avatar ? { fileUrl: urlOfFile(avatar.fileId) } : null }];
    }),
  );
  return {
    community: {
      communityId,
      displayName: community.displayName,
      posts: {
        edges: posts.map((post) => ({
          node: {
            postId: post.postId,
            data: { title: post.data.title ?? null, text: post.data.text ?? null },
            createdAt: post.createdAt,
            reactionsCount: post.reactionsCount,
            commentsCount: post.commentsCount,
            reactions: post.reactions,
            myReactions: reactionsById.get(post.postId) ?? [],
            author: usersById.get(post.postedUserId) ?? null,
            latestComments: post.comments.flatMap((id) => {
              const comment = commentsById.get(id);
              if (!comment) return [];
              return {
                commentId: comment.commentId,
                data: comment.data,
                createdAt: comment.createdAt,
                reactionsCount: comment.reactionsCount,
                myReactions: reactionsById.get(id) ?? [],
                author: usersById.get(comment.userId) ?? null,
              };
            }),
          },
        })),
        pageInfo: { hasNextPage: found.length > 20 },
      },
    },
  };
}
