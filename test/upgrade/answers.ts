import type { Keys } from '../../src/process/keys.ts';

/** Requests to a release before and after an upgrade: reads over REST and GraphQL whose results do not depend on time. */
const READS: ReadonlyArray<{ as: string; path: string }> = [
  { as: 'alice', path: '/api/v3/posts/seedlings' },
  { as: 'bob', path: '/api/v3/posts/tomatoes' },
  { as: 'alice', path: '/api/v5/posts?targetType=community&targetId=gardeners' },
  { as: 'alice', path: '/api/v1/pinned-posts/communities/gardeners' },
  { as: 'alice', path: '/api/v3/comments?referenceType=post&referenceId=tomatoes' },
  { as: 'alice', path: '/api/v3/communities/gardeners/users' },
  { as: 'alice', path: '/api/v3/channels/list?channelIds[]=gardeners-chat&channelIds[]=alice-and-bob' },
  { as: 'alice', path: '/api/v1/markers/userMarker' },
  { as: 'alice', path: '/api/v5/message-feeds/channel/gardeners-chat' },
  { as: 'alice', path: '/api/v3/users' },
  { as: 'mia', path: '/api/v3/network-settings/social' },
];

const QUERIES: ReadonlyArray<{ as: string; query: string }> = [
  {
    as: 'alice',
    query: `{ community(communityId: "gardeners") { id displayName membersCount postsCount
      members(first: 5) { edges { node { user { displayName } roles } } } } }`,
  },
  {
    as: 'alice',
    query:
      '{ post(postId: "seedlings") { id flagCount reactionsCount commentsCount latestComments { data reactionsCount } } }',
  },
];

export interface Answer {
  as: string;
  /** The path of a REST request, or the document of a GraphQL one. */
  asked: string;
  status: number;
  body: unknown;
}

/** Signs the users in and sends all requests to a running gateway. */
export async function requestAll(url: string, keys: Keys): Promise<Answer[]> {
  const tokens = new Map<string, string>();
  for (const { as } of [...READS, ...QUERIES]) if (!tokens.has(as)) tokens.set(as, await signIn(url, keys, as));
  const answers: Answer[] = [];
  for (const { as, path } of READS) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${tokens.get(as)}` } });
    answers.push({ as, asked: path, status: response.status, body: await response.json() });
  }
  for (const { as, query } of QUERIES) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.get(as)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    answers.push({ as, asked: query, status: response.status, body: await response.json() });
  }
  return answers;
}

export async function signIn(url: string, keys: Keys, userId: string): Promise<string> {
  const authToken = await post(`${url}/api/v4/authentication/token`, { 'x-server-key': keys.SERVER_KEY }, { userId });
  const session = await post(
    `${url}/api/v5/sessions`,
    { 'x-api-key': keys.API_KEY },
    { userId, deviceId: `upgrade-${userId}`, authToken },
  );
  return String(session.accessToken);
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
