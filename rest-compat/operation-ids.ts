import type { OperationDefinitionNode } from 'graphql';
import type { Route } from './route.ts';

/** Ids of routes that share a document with another route of the same version. */
const OWN_IDS: { readonly [route: string]: string } = {
  'POST /api/v5/sessions/bot': 'createBotSession',
  'POST /api/v5/sessions/visitor': 'createVisitorSession',
  'GET /api/v3/network-settings/chat': 'getChatSettings',
  'GET /api/v3/network-settings/social': 'getSocialSettings',
  'GET /api/v3/network-settings/webhook': 'getWebhookSettings',
  'GET /api/v3/network-settings/shareable-deep-links': 'getDeepLinks',
  'GET /api/v3/network-settings/feed-setting': 'getFeedSettings',
  'GET /api/v3/network-settings/product': 'getProductSettings',
  'GET /api/v4/user-feeds/:userId': 'queryUserFeed',
  'GET /api/v1/pinned-posts/communities/:communityId': 'pinnedPosts',
  'GET /api/v1/pinned-posts/communities/:communityId/:placement': 'pinnedPostsOfPlacement',
  'GET /api/v1/semantic-search/posts': 'searchPosts',
  'GET /api/v1/search/posts': 'searchPostsByHashtags',
  'POST /api/v3/channels/seen': 'markChannelsSeen',
  'POST /api/v3/channels/:channelId/seen': 'markChannelSeen',
  'POST /api/v1/markers/message-feeds/reading': 'keepReading',
  'POST /api/v1/markers/message-feeds/:messageFeedId/start-reading': 'startReading',
  'POST /api/v1/markers/message-feeds/:messageFeedId/stop-reading': 'stopReading',
  'POST /api/v1/markers/message-feeds/:messageFeedId/stop-readings': 'stopReadings',
};

/**
 * Ids by route, after which generators name the functions of a client: the name of the route's document, with the version of the
 * path where several versions run the same document.
 *
 * @throws Error for two routes with one id
 */
export function operationIds(routes: readonly Route[]): ReadonlyMap<Route, string> {
  const versions = new Map<string, number>();
  for (const route of routes) {
    const name = nameOf(route);
    versions.set(name, (versions.get(name) ?? 0) + 1);
  }
  const ids = new Map<Route, string>();
  const used = new Set<string>();
  for (const route of routes) {
    const name = nameOf(route);
    const id = versions.get(name) === 1 ? name : `${name}V${/\/v(\d)\//.exec(route.path)?.[1]}`;
    if (used.has(id)) throw new Error(`${route.method} ${route.path}: another route has the operation id ${id}.`);
    used.add(id);
    ids.set(route, id);
  }
  return ids;
}

function nameOf(route: Route): string {
  const own = OWN_IDS[`${route.method} ${route.path}`];
  if (own !== undefined) return own;
  const name = (route.document.read().definitions[0] as OperationDefinitionNode).name!.value;
  return `${name[0]!.toLowerCase()}${name.slice(1)}`;
}
