import { canSeeUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { findInsideChannel, getChannel } from '../../domain/channel/get-channel.ts';
import { getComment } from '../../domain/comment/get-comment.ts';
import { findInsideCommunity } from '../../domain/community/get-community.ts';
import { getMessageFeed } from '../../domain/message-feed/get-message-feed.ts';
import { getPost } from '../../domain/post/get-post.ts';
import { seesFeedOfUser } from '../../domain/user/follows/feed-privacy.ts';
import type { UserRecord } from '../../store/records/user.ts';

/** The parts of a topic filter that a pattern names. */
export type TopicParams = { readonly [name: string]: string };

export function isViewer(context: Context, { me }: TopicParams): boolean {
  return viewerOf(context).userInternalId === me;
}

function isVisibleUser(context: Context, user: UserRecord | null): boolean {
  return user !== null && canSeeUser(viewerOf(context), user);
}

export async function seesUser(context: Context, { user }: TopicParams): Promise<boolean> {
  return isVisibleUser(context, await context.load.usersByInternalId.load(user!));
}

/** In networks with private profiles, followers see the feed of a user. */
async function seesFeedOf(context: Context, user: UserRecord | null): Promise<boolean> {
  return isVisibleUser(context, user) && (await seesFeedOfUser(context, user!.userId));
}

export async function seesTarget(context: Context, { type, id }: TopicParams): Promise<boolean> {
  if (type === 'user') return seesFeedOf(context, await context.load.usersByInternalId.load(id!));
  if (type !== 'community') return false;
  const community = await context.load.communitiesByInternalId.load(id!);
  return community !== null && (await findInsideCommunity(context, community.communityId)) !== null;
}

export async function seesStories(context: Context, { type, target }: TopicParams): Promise<boolean> {
  if (type === 'user') return seesFeedOf(context, await context.load.users.load(target!));
  return type === 'community' && (await findInsideCommunity(context, target!)) !== null;
}

export async function seesPost(context: Context, { post }: TopicParams, topic: string): Promise<boolean> {
  const found = await getPost(context, { postId: post! });
  return found !== null && (topic === found.path || topic.startsWith(`${found.path}/`));
}

export async function seesComment(context: Context, { comment }: TopicParams, topic: string): Promise<boolean> {
  return (await getComment(context, { commentId: comment! }))?.path === topic;
}

export async function seesChannel(context: Context, { channel }: TopicParams): Promise<boolean> {
  const found = await getChannel(context, { internalId: channel! });
  return found !== null && (await findInsideChannel(context, found.channelId)) !== null;
}

export async function seesFeed(context: Context, { channel, feed }: TopicParams): Promise<boolean> {
  return (await getMessageFeed(context, { messageFeedId: feed! }))?.channelInternalId === channel;
}

export async function seesMarkers(context: Context, { channel, feed }: TopicParams): Promise<boolean> {
  const found = await getMessageFeed(context, { messageFeedId: feed! });
  return found !== null && (found.channelInternalId === channel || found.channelId === channel);
}
