import { postRecord } from '../../src/sample/builders/content.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import { entriesOf } from '../../src/store/search/entries.ts';
import type { CallTable, SampleIds } from './calls.ts';
import { CHAT_CALLS } from './chat-sample.ts';
import type { TestGateway } from './gateway.ts';
import { AUDIT } from './operations/audit.ts';
import { PEOPLE_CALLS } from './operations/people.ts';
import { SOCIAL_CALLS } from './operations/social.ts';

/** A call of each route that requires a token; each succeeds on the sample network. */
export const CALLS: CallTable = {
  ...CHAT_CALLS,
  ...SOCIAL_CALLS,
  ...PEOPLE_CALLS,
  'DELETE /api/v4/sessions': () => ({ as: 'mia', path: '/api/v4/sessions', budget: 4 }),
  'GET /api/v3/sessions': () => ({ path: '/api/v3/sessions', budget: 3 }),
  'GET /api/v3/network-settings/chat': () => ({ path: '/api/v3/network-settings/chat', budget: 2 }),
  'GET /api/v3/network-settings/social': () => ({ path: '/api/v3/network-settings/social', budget: 2 }),
  'GET /api/v3/network-settings/shareable-deep-links': () => ({
    path: '/api/v3/network-settings/shareable-deep-links',
    budget: 2,
  }),
  'GET /api/v3/network-settings/feed-setting': () => ({ path: '/api/v3/network-settings/feed-setting', budget: 2 }),
  'GET /api/v3/network-settings/product': () => ({ path: '/api/v3/network-settings/product', budget: 2 }),
  'GET /api/v1/ads/me': () => ({ path: '/api/v1/ads/me', budget: 2 }),
  'PUT /api/v3/network-settings/webhook': () => ({
    as: 'admin',
    path: '/api/v3/network-settings/webhook',
    body: { enabled: true },
    budget: 4 + AUDIT,
  }),
  'GET /api/v3/network-settings/webhook': () => ({ path: '/api/v3/network-settings/webhook', budget: 2 }),
  'GET /api/v3/posts/:postId': () => ({ path: '/api/v3/posts/seedlings', budget: 9 }),
  'POST /api/v3/posts/:postId/flag': () => ({
    as: 'carol',
    path: '/api/v3/posts/seedlings/flag',
    body: { reason: 'Others', detail: 'x' },
    budget: 16,
  }),
  'DELETE /api/v3/posts/:postId/unflag': () => ({
    as: 'bob',
    path: '/api/v3/posts/miracle-fertiliser/unflag',
    budget: 17,
  }),
  'GET /api/v3/posts/:postId/isflagbyme': () => ({
    as: 'bob',
    path: '/api/v3/posts/miracle-fertiliser/isflagbyme',
    budget: 5,
  }),
  'GET /api/v3/posts/list': () => ({ path: '/api/v3/posts/list?postIds[]=seedlings&postIds[]=potting', budget: 13 }),
  'GET /api/v4/posts': () => ({ path: '/api/v4/posts?targetType=community&targetId=gardeners', budget: 20 }),
  'GET /api/v5/posts': () => ({ path: '/api/v5/posts?targetType=community&targetId=gardeners', budget: 20 }),
  'GET /api/v3/content-feeds': () => ({ path: '/api/v3/content-feeds', budget: 19 }),
  'GET /api/v4/me/global-feeds': () => ({ path: '/api/v4/me/global-feeds', budget: 21 }),
  'GET /api/v5/me/global-feeds': () => ({ path: '/api/v5/me/global-feeds', budget: 20 }),
  'GET /api/v4/user-feeds/:userId': () => ({ path: '/api/v4/user-feeds/alice', budget: 20 }),
  'POST /api/v1/pinned-posts/communities/:communityId/:placement/:postId': () => ({
    path: '/api/v1/pinned-posts/communities/gardeners/announcement/tomatoes',
    budget: 18 + AUDIT,
  }),
  'DELETE /api/v1/pinned-posts/communities/:communityId/:placement/:postId': () => ({
    path: '/api/v1/pinned-posts/communities/gardeners/default/compost',
    budget: 8 + AUDIT,
  }),
  'GET /api/v1/pinned-posts/communities/:communityId': () => ({
    path: '/api/v1/pinned-posts/communities/gardeners',
    budget: 16,
  }),
  'GET /api/v1/pinned-posts/communities/:communityId/:placement': () => ({
    path: '/api/v1/pinned-posts/communities/gardeners/default',
    budget: 16,
  }),
  'GET /api/v1/pinned-posts/global': () => ({ path: '/api/v1/pinned-posts/global', budget: 2 }),
  'GET /api/v3/comments': () => ({ path: '/api/v3/comments?referenceType=post&referenceId=tomatoes', budget: 12 }),
  'DELETE /api/v4/communities/:communityId/users/roles': () => ({
    path: '/api/v4/communities/gardeners/users/roles',
    body: { roles: ['seed-librarian'], userIds: ['bob'] },
    budget: 14,
  }),
  'POST /api/v4/communities/:communityId/users/roles': () => ({
    path: '/api/v4/communities/gardeners/users/roles',
    body: { roles: ['community-moderator'], userIds: ['kim'] },
    budget: 18 + AUDIT,
  }),
  'GET /api/v5/me/global-story-targets': () => ({ path: '/api/v5/me/global-story-targets', budget: 9 }),
  'GET /api/v3/comments/list': () => ({ path: '/api/v3/comments/list?commentIds[]=tomatoes-carol', budget: 12 }),
  'GET /api/v3/comments/:commentId': () => ({ path: '/api/v3/comments/tomatoes-carol', budget: 12 }),
  'GET /api/v3/communities': () => ({ path: '/api/v3/communities', budget: 8 }),
  'GET /api/v3/communities/list': () => ({ path: '/api/v3/communities/list?communityIds[]=gardeners', budget: 8 }),
  'GET /api/v3/communities/:communityId': () => ({ path: '/api/v3/communities/gardeners', budget: 8 }),
  'GET /api/v3/communities/:communityId/users': () => ({ path: '/api/v3/communities/gardeners/users', budget: 10 }),
  'GET /api/v3/community-categories': () => ({ path: '/api/v3/community-categories', budget: 3 }),
  'GET /api/v3/community-categories/:categoryId': () => ({ path: '/api/v3/community-categories/flowers', budget: 3 }),
  'GET /api/v3/users': () => ({ path: '/api/v3/users', budget: 3 }),
  'GET /api/v3/users/list': () => ({ path: '/api/v3/users/list?userIds[]=bob', budget: 3 }),
  'GET /api/v3/users/:userId': () => ({ path: '/api/v3/users/bob', budget: 3 }),
  'GET /api/v3/roles': () => ({ path: '/api/v3/roles', budget: 2 }),
  'GET /api/v3/roles/:roleId': () => ({ path: '/api/v3/roles/member', budget: 2 }),
  'GET /api/v4/stories': () => ({ path: '/api/v4/stories?targetType=community&targetId=gardeners', budget: 10 }),
  'GET /api/v4/stories/seen': () => ({
    path: '/api/v4/stories/seen?targets[0][targetType]=community&targets[0][targetId]=gardeners',
    budget: 9,
  }),
  'GET /api/v4/stories-by-targets': () => ({
    path: '/api/v4/stories-by-targets?targets[0][targetType]=community&targets[0][targetId]=gardeners',
    budget: 10,
  }),
  'GET /api/v1/analytics/views/posts/:postId/users': () => ({
    path: '/api/v1/analytics/views/posts/compost/users',
    budget: 6,
  }),
  'GET /api/v1/analytics/views/stories/:storyId/users': () => ({
    path: '/api/v1/analytics/views/stories/morning-dew/users',
    budget: 6,
  }),
  'GET /api/v4/stories/:storyId': () => ({ path: '/api/v4/stories/morning-dew', budget: 10 }),
};

export async function readSampleIds(gateway: TestGateway): Promise<SampleIds> {
  const { channels, messages } = gateway.services.store.collections;
  const community = await gateway.services.store.collections.communities.findOne({
    networkId: 'default',
    communityId: 'gardeners',
  });
  const channel = await channels.findOne({ networkId: 'default', channelId: community!.channelId });
  const message = await messages.findOne({
    networkId: 'default',
    messageFeedId: channel!.defaultMessageFeedId,
    isDeleted: false,
  });
  return {
    waitingPostId: await waitingPost(gateway),
    messageId: message!.messageId,
    messageFeedId: message!.messageFeedId,
    channelInternalId: channel!._id.toHexString(),
  };
}

/** Generated once: the same for each sample network. */
async function waitingPost({ services }: TestGateway): Promise<string> {
  const { posts, communities, searchEntries } = services.store.collections;
  const context = createSampleContext({ networkId: 'default', now: new Date() });
  const post = postRecord(context, {
    postId: 'waiting',
    postedUserId: 'grace',
    targetType: 'community',
    targetId: 'orchard-keepers',
    feedType: 'reviewing',
    data: { text: 'Wait' },
  });
  if (await posts.findOne({ networkId: 'default', postId: post.postId })) return post.postId;
  await posts.insertOne(post);
  await searchEntries.insertMany(entriesOf('posts', [post]));
  await communities.updateOne(
    { networkId: 'default', communityId: post.targetId, 'feeds.feedType': 'reviewing' },
    { $inc: { 'feeds.$.postCount': 1 } },
  );
  return post.postId;
}
