import { canSeeInsideCommunity } from '../../src/access/community.ts';
import { canSeePost } from '../../src/access/post.ts';
import type { Services, TokenClaims } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import { only } from './projection.ts';
import { urlOfFile } from './shapes.ts';
import { readViewer } from './sign-in.ts';

const COMMUNITY = only('displayName', 'isPublic', 'isDeleted');
const MEMBER = only('communityMembership', 'permissions');
const POST = only(
  ...['postId', 'targetType', 'targetId', 'feedType', 'isDeleted', 'postedUserId', 'createdAt', 'data.title'],
  ...['data.text', 'reactionsCount', 'commentsCount', 'reactions', 'comments'],
);
const COMMENT = only('commentId', 'userId', 'data', 'createdAt', 'reactionsCount');
const REACTION = only('referenceId', 'reactionName');
const USER = only('userId', 'displayName', 'avatarFileId');
const FILE = only('fileId');

/**
 * The page of `page.ts`, hand-written for this selection and nested like the response: eight reads, which leave together
 * where one does not depend on another, in four round trips.
 */
export async function readPage(services: Services, claims: TokenClaims, communityId: string): Promise<object> {
  const { collections } = services.store;
  const { networkId, userId } = claims;
  const [viewer, community, membership, found] = await Promise.all([
    readViewer(services, claims),
    collections.communities.findOne({ networkId, communityId }, COMMUNITY),
    collections.communityUsers.findOne({ networkId, communityId, userId }, MEMBER),
    collections.posts
      .find(
        {
          networkId,
          targetType: 'community',
          targetId: communityId,
          feedType: 'published',
          isDeleted: false,
          parentPostId: null,
        },
        POST,
      )
      .sort({ createdAt: -1, _id: -1 })
      .limit(21)
      .toArray(),
  ]);
  if (!community || !canSeeInsideCommunity(viewer, community, membership)) throw new OperationError('NOT_FOUND');
  const posts = found.slice(0, 20).filter((post) => canSeePost(viewer, post, { community, membership, privacy: null }));
  const commentIds = posts.flatMap((post) => post.comments);
  // The counts of comments are unknown yet: reading the reactions to all of them saves a round trip.
  const reactedIds = [...posts.filter((post) => post.reactionsCount > 0).map((post) => post.postId), ...commentIds];
  const [comments, mine] = await Promise.all([
    collections.comments.find({ networkId, commentId: { $in: commentIds } }, COMMENT).toArray(),
    collections.reactions.find({ networkId, userId, referenceId: { $in: reactedIds } }, REACTION).toArray(),
  ]);
  const userIds = new Set([...posts.map((post) => post.postedUserId), ...comments.map((comment) => comment.userId)]);
  const users = await collections.users.find({ networkId, userId: { $in: [...userIds] } }, USER).toArray();
  const fileIds = users.flatMap((user) => user.avatarFileId ?? []);
  const files = await collections.files.find({ networkId, fileId: { $in: fileIds } }, FILE).toArray();

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
