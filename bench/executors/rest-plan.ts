import { loadAll, myReactions } from '../../schema/shared/reactable.ts';
import type { Context } from '../../src/context.ts';
import { viewerOf } from '../../src/context.ts';
import { visibleComments, visibleReplies } from '../../src/domain/comment/visible-comments.ts';
import { filesOfPost } from '../../src/domain/post/content/files-of-post.ts';
import { visibleChildren } from '../../src/domain/post/feeds/visible-children.ts';
import { getPost } from '../../src/domain/post/get-post.ts';
import { OperationError } from '../../src/errors.ts';
import { type MaybePromise, whenAllLoaded, whenLoaded } from '../../src/lib/maybe-promise.ts';
import type { CategoryRecord, CommunityRecord, CommunityUserRecord } from '../../src/store/records/community.ts';
import type { CommentRecord, PostRecord } from '../../src/store/records/content.ts';
import type { FileRecord } from '../../src/store/records/media.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import {
  categoryShape,
  commentShape,
  communityShape,
  communityUserShape,
  fileShape,
  postShape,
  userShape,
} from '../hand-written/shapes.ts';

/**
 * `GET /api/v3/posts/{id}` (docs/interface.md#get-post) without GraphQL: a plan for this route only. It loads records
 * level by level with the loaders and the access rules of the gateway, and joins their JSON, which is kept for each
 * version of a record. What depends on the viewer is inserted. Records that are flagged or deleted, and posts with
 * streams, rooms or polls, are not supported.
 */
export function answerPost(context: Context, postId: string): MaybePromise<string> {
  return whenLoaded(getPost(context, { postId }), (post) => {
    if (!post) throw new OperationError('NOT_FOUND');
    const { load } = context;
    const { userId } = viewerOf(context);
    const inCommunity = post.targetType === 'community';
    return whenAllLoaded(
      [
        visibleComments(context, post),
        visibleChildren(context, post),
        inCommunity ? load.communities.load(post.targetId) : null,
        inCommunity ? load.communityUsers.load([post.targetId, post.postedUserId]) : null,
        inCommunity ? load.communityUsers.load([post.targetId, userId]) : null,
      ],
      ([comments, children, community, author, viewer]) =>
        whenLoaded(withReplies(context, comments), (all) =>
          loadLinks(context, { posts: [post, ...children], comments: all, community, author, viewer }),
        ),
    );
  });
}

/** Comments with two levels of replies. */
function withReplies(context: Context, comments: CommentRecord[], levels = 2): MaybePromise<CommentRecord[]> {
  if (levels === 0 || !comments.some(({ children }) => children.length > 0)) return comments;
  const replies = comments.map((comment) =>
    whenLoaded(visibleReplies(context, comment), (found) => withReplies(context, found, levels - 1)),
  );
  return whenAllLoaded(replies, (found) => comments.flatMap((comment, index) => [comment, ...found[index]!]));
}

interface Content {
  posts: PostRecord[];
  comments: CommentRecord[];
  community: CommunityRecord | null;
  author: CommunityUserRecord | null;
  viewer: CommunityUserRecord | null;
}

/** The last two levels: users and categories, and the files of all records. */
function loadLinks(context: Context, content: Content): MaybePromise<string> {
  const { posts, comments, community, author, viewer } = content;
  const { load } = context;
  const userIds: Array<string | null> = [];
  for (const post of posts) {
    userIds.push(post.postedUserId, post.sharedUserId);
    if (post.targetType === 'user') userIds.push(post.targetId);
    addMentioned(userIds, post);
  }
  for (const comment of comments) {
    userIds.push(comment.userId);
    addMentioned(userIds, comment);
  }
  if (community) userIds.push(community.userId);
  if (viewer) userIds.push(viewer.userId);
  const reactions = [
    ...posts.map(({ postId, reactionsCount }) => myReactions(context, 'post', postId, reactionsCount)),
    ...comments.map(({ commentId, reactionsCount }) => myReactions(context, 'comment', commentId, reactionsCount)),
  ];
  return whenAllLoaded(
    [
      loadAll(load.users, userIds),
      community ? loadAll(load.categories, community.categoryIds) : [],
      whenAllLoaded(reactions, (loaded) => loaded as string[][]),
    ],
    ([users, categories, mine]) => {
      const fileIds: Array<string | null | undefined> = posts.flatMap(filesOfPost);
      for (const { attachments } of comments) for (const { fileId } of attachments) fileIds.push(fileId);
      for (const { avatarFileId } of users) fileIds.push(avatarFileId);
      for (const { avatarFileId } of categories) fileIds.push(avatarFileId);
      fileIds.push(community?.avatarFileId);
      const members = author && viewer && author.userId !== viewer.userId ? [author, viewer] : [author ?? viewer];
      return whenLoaded(loadAll(load.files, fileIds), (files) =>
        write({ ...content, users, categories, files, mine, members: members.filter((member) => member !== null) }),
      );
    },
  );
}

function addMentioned(userIds: Array<string | null>, { mentionees }: Pick<PostRecord, 'mentionees'>): void {
  for (const mention of mentionees) userIds.push(...mention.userIds);
}

interface Loaded extends Content {
  users: UserRecord[];
  categories: CategoryRecord[];
  files: FileRecord[];
  members: CommunityUserRecord[];
  /** The viewer's reactions to each post and then to each comment. */
  mine: string[][];
}

function write({ posts, comments, users, files, community, viewer, members, categories, mine }: Loaded): string {
  const [post, ...children] = posts;
  const list = <Record>(records: readonly Record[], text: (record: Record, index: number) => string): string => {
    let joined = '';
    for (let index = 0; index < records.length; index += 1)
      joined += index === 0 ? text(records[index]!, index) : `,${text(records[index]!, index)}`;
    return joined;
  };
  const isJoined = String(viewer?.communityMembership === 'member');
  const reactionsAt = (place: number): string => JSON.stringify(mine[place]);
  const feed = community ? feedText(community, post!) : '';
  return (
    `{"posts":[${postText(post!, reactionsAt(0))}]` +
    `,"postChildren":[${list(children, (child, index) => postText(child, reactionsAt(index + 1)))}]` +
    `,"comments":[${list(comments, (comment, index) => commentText(comment, reactionsAt(posts.length + index)))}]` +
    `,"users":[${list(users, userText)}],"files":[${list(files, fileText)}]` +
    `,"communities":[${community ? communityText(community, isJoined) : ''}]` +
    `,"communityUsers":[${list(members, memberText)}],"categories":[${list(categories, categoryText)}]` +
    `,"feeds":[${feed}],"videoStreamings":[],"videoStreamingChildren":[],"rooms":[],"roomChildrens":[],"polls":[]}`
  );
}

const postText = keptAround<PostRecord>('myReactions', (post) => postShape(post, []));
const commentText = keptAround<CommentRecord>('myReactions', (comment) => commentShape(comment, []));
const communityText = keptAround<CommunityRecord>('isJoined', (community) => communityShape(community, null));
const userText = kept(userShape);
const fileText = kept(fileShape);
const memberText = kept(communityUserShape);
const categoryText = kept(categoryShape);

const feeds = new WeakMap<CommunityRecord, string>();

function feedText(community: CommunityRecord, { feedId, targetId, targetType }: PostRecord): string {
  let text = feeds.get(community);
  if (text === undefined) {
    text = JSON.stringify({ targetId, targetType, ...community.feeds.find((feed) => feed.feedId === feedId) });
    feeds.set(community, text);
  }
  return text;
}

/** The JSON of a record, serialized once. */
function kept<Record extends object>(shape: (record: Record) => object): (record: Record) => string {
  const texts = new WeakMap<Record, string>();
  return (record) => {
    let text = texts.get(record);
    if (text === undefined) {
      text = JSON.stringify(shape(record));
      texts.set(record, text);
    }
    return text;
  };
}

/** As {@link kept}, with the JSON of one member that depends on the viewer. */
function keptAround<Record extends object>(
  member: string,
  shape: (record: Record) => object,
): (record: Record, value: string) => string {
  const texts = new WeakMap<Record, readonly [before: string, after: string]>();
  return (record, value) => {
    let text = texts.get(record);
    if (text === undefined) {
      const entries = Object.entries(shape(record)).filter(([, inner]) => inner !== undefined);
      const at = entries.findIndex(([key]) => key === member);
      const before = JSON.stringify(Object.fromEntries(entries.slice(0, at)));
      const after = JSON.stringify(Object.fromEntries(entries.slice(at + 1)));
      text = [`${before.slice(0, -1)},"${member}":`, `,${after.slice(1)}`];
      texts.set(record, text);
    }
    return text[0] + value + text[1];
  };
}
