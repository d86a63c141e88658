import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, type Payload } from '../support/mutate.ts';

/** `kim` has a private community with `leo`; `mia` is in neither. */
let gateway: TestGateway;
let open: string;
let closed: string;
const mutate = mutations(() => gateway);

const post = async (as: string, data: object, target: object = {}, more: object = {}): Promise<string> => {
  const input = { targetType: 'USER', targetId: as, data, ...target, ...more };
  return (await mutate(as, 'createPost', input, 'post { postId }')).post.postId;
};
const community = async (as: string, input: object): Promise<string> =>
  (await mutate(as, 'createCommunity', input, 'community { communityId }')).community.communityId;

const searchPosts = async (query: string, { as = 'kim', args = '' } = {}): Promise<Payload> => {
  const { search } = await ask(
    gateway,
    `query ($query: String!) { search(query: $query) { posts(first: 20${args}) {
      pageInfo { hasNextPage endCursor } edges { cursor node { postId score post { postId } } } } } }`,
    { as, variables: { query } },
  );
  return search.posts;
};
const postIds = async (query: string, options: { as?: string; args?: string } = {}): Promise<string[]> =>
  (await searchPosts(query, options)).edges.map(({ node }: Payload) => node.postId);

beforeAll(async () => {
  gateway = await openTestNetwork();
  for (const as of ['leo', 'mia']) await gateway.tokenOf(as);
  open = await community('kim', { displayName: 'Zebra watchers', description: 'We count stripes.', tags: ['savanna'] });
  closed = await community('kim', { displayName: 'Zebra secrets', isPublic: false, userIds: ['leo'] });
});
afterAll(() => gateway.close());

describe('a search for posts', () => {
  test('finds words without regard to case and accents, and the beginning of the last word', async () => {
    const found = await post('kim', { text: 'Crème brûlée recipes' });
    for (const query of ['creme', 'BRÛLÉE', 'brulee creme', 'recipes cre', 'crème bru']) {
      expect(await postIds(query), query).toEqual([found]);
    }
    for (const query of ['creme soup', 'cre recipes', 'eme', '']) expect(await postIds(query), query).toEqual([]);
  });

  test('orders by match, then by age, with scores that descend', async () => {
    const prefix = await post('kim', { text: 'Quokkas' });
    const word = await post('kim', { text: 'A quokka' });
    const title = await post('kim', { title: 'Quokka', text: 'Nothing else' });
    const newer = await post('kim', { title: 'The quokka', text: 'Nothing else' });
    const { edges } = await searchPosts('quokka');
    expect(edges.map(({ node }: Payload) => node.postId)).toEqual([newer, title, word, prefix]);
    const scores = edges.map(({ node }: Payload) => node.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBeCloseTo(1, 2);
    expect(scores[3]).toBeCloseTo(0.25, 2);
  });

  test('finds the words of an update, and nothing of a deleted post', async () => {
    const postId = await post('kim', { text: 'walrus' });
    await mutate('kim', 'updatePost', { postId, data: { text: 'narwhal' } }, 'post { postId }');
    expect(await postIds('walrus')).toEqual([]);
    expect(await postIds('narwhal')).toEqual([postId]);
    await mutate('kim', 'deletePost', { postId }, 'post { postId }');
    expect(await postIds('narwhal')).toEqual([]);
    expect(
      await gateway.services.store.collections.searchEntries.countDocuments({
        networkId: gateway.networkId,
        recordId: postId,
      }),
    ).toBe(0);
  });

  test('shows posts of a private community to its members only', async () => {
    const hidden = await post('kim', { text: 'okapi' }, { targetType: 'COMMUNITY', targetId: closed });
    expect(await postIds('okapi', { as: 'leo' })).toEqual([hidden]);
    expect(await searchPosts('okapi', { as: 'mia' })).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
    const args = `, targetType: COMMUNITY, targetId: "${closed}"`;
    expect(await postIds('okapi', { as: 'leo', args })).toEqual([hidden]);
    const refused = await gateway.graphql(
      `{ search(query: "okapi") { posts(first: 1${args}) { edges { cursor } } } }`,
      {
        as: 'mia',
      },
    );
    expect(refused.errors?.[0]?.message).toBe('Community not found.');
  });

  test('limits the results to a target, a kind of target and kinds of content', async () => {
    const inOpen = await post('kim', { text: 'tapir' }, { targetType: 'COMMUNITY', targetId: open });
    const onFeed = await post('kim', { text: 'tapir' });
    expect(await postIds('tapir', { args: ', targetType: COMMUNITY' })).toEqual([inOpen]);
    expect(await postIds('tapir', { args: ', targetType: USER' })).toEqual([onFeed]);
    expect(await postIds('tapir', { args: `, targetType: COMMUNITY, targetId: "${open}"` })).toEqual([inOpen]);
    expect(await postIds('tap', { args: `, targetType: USER, targetId: "kim"` })).toEqual([onFeed]);
    expect(await postIds('tapir', { args: ', dataTypes: ["image"]' })).toEqual([]);
    expect(await postIds('tapir', { args: ', dataTypes: ["text"]' })).toEqual([onFeed, inOpen]);
  });

  test('finds hashtags, in the query and as a filter', async () => {
    const soil = await post('kim', { text: 'Worms love #Humus' });
    const earth = await post('kim', { text: 'Dig in #Érde #humus' });
    await post('kim', { text: 'humus without a mark' });
    for (const query of ['#humus', '#HUM', 'worms #humus']) {
      expect(await postIds(query), query).toContain(soil);
    }
    expect(await postIds('#humus')).toEqual([earth, soil]);
    expect(await postIds('', { args: ', hashtags: ["HUMUS", "erde"]' })).toEqual([earth, soil]);
    expect(await postIds('worms', { args: ', hashtags: ["humus"]' })).toEqual([soil]);
    expect(await postIds('', { args: ', hashtags: ["none"]' })).toEqual([]);
  });

  test('within a target matches and orders as one of the whole network', async () => {
    const args = `, targetType: COMMUNITY, targetId: "${open}"`;
    for (const data of [
      { title: 'Pangolin news', text: 'x' },
      { text: 'a pangolin and its pangolins' },
      { text: '#pango sleeps here' },
      { text: 'one pangolins' },
    ]) {
      await post('kim', data, { targetType: 'COMMUNITY', targetId: open });
    }
    for (const query of ['pangolin', 'pango', 'pangolins', '#pan', '#pango', 'here pan', 'x']) {
      const [inPlace, everywhere] = [await searchPosts(query, { args }), await searchPosts(query)];
      const found = ({ edges }: Payload) => edges.map(({ node }: Payload) => node.postId);
      expect(found(inPlace), query).toEqual(found(everywhere));
      if (query !== 'x') expect(inPlace.edges.length, query).toBeGreaterThan(0);
    }
    expect((await searchPosts('pango', { args })).edges).toHaveLength(4);
  });

  test('is read in pages in both directions, each result once', async () => {
    const all: string[] = [];
    for (let index = 0; index < 7; index++) {
      const data = index % 3 === 0 ? { title: 'Lemur', text: 'x' } : { text: index % 3 === 1 ? 'lemur' : 'lemurs' };
      all.push(await post('kim', data));
    }
    const expected = await postIds('lemur');
    expect([...expected].sort()).toEqual([...all].sort());
    const read = async (direction: 'first' | 'last') => {
      const found: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const [bound, size] = direction === 'first' ? ['after', 'first: 2'] : ['before', 'last: 2'];
        const { search } = await ask(
          gateway,
          `{ search(query: "lemur") { posts(${size}${cursor ? `, ${bound}: "${cursor}"` : ''}) {
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { postId } } } } }`,
          { as: 'kim' },
        );
        const { edges, pageInfo } = search.posts;
        const page = edges.map(({ node }: Payload) => node.postId);
        if (direction === 'first') found.push(...page);
        else found.unshift(...page);
        if (!(direction === 'first' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return found;
        cursor = direction === 'first' ? pageInfo.endCursor : pageInfo.startCursor;
      }
    };
    expect(await read('first')).toEqual(expected);
    expect(await read('last')).toEqual(expected);
  });

  test('refuses the cursor of another query', async () => {
    const { edges } = await searchPosts('lemur');
    const query = `{ search(query: "lemurs") { posts(first: 1, after: "${edges[0].cursor}") { edges { cursor } } } }`;
    const { errors } = await gateway.graphql(query, { as: 'kim' });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a search for other records', () => {
  const names = async (query: string, kind: string, node: string, as = 'kim'): Promise<Payload[]> => {
    const { search } = await ask(
      gateway,
      `query ($query: String!) { search(query: $query) { found: ${kind} { edges { node { ${node} } } } } }`,
      { as, variables: { query } },
    );
    return search.found.edges.map((edge: Payload) => edge.node);
  };
  const communityIds = async (query: string, { args = '', as = 'kim' } = {}) =>
    (await names(query, `communities(first: 10${args})`, 'communityId score', as)).map(
      ({ communityId }) => communityId,
    );

  test('finds communities by name, description and tags, if the viewer sees them', async () => {
    expect(await communityIds('zebra')).toEqual([closed, open]);
    expect(await communityIds('zebra', { as: 'mia' })).toEqual([open]);
    expect(await communityIds('stripes')).toEqual([open]);
    expect(await communityIds('savan')).toEqual([open]);
    expect(await communityIds('zebra', { args: ', tags: ["savanna"]' })).toEqual([open]);
    expect(await communityIds('zebra', { as: 'mia', args: ', filter: MEMBER' })).toEqual([]);
    await mutate('kim', 'updateCommunity', { communityId: open, displayName: 'Gnu watchers' }, 'community { path }');
    expect(await communityIds('gnu')).toEqual([open]);
    expect(await communityIds('zebra')).toEqual([closed]);
    await mutate('kim', 'deleteCommunity', { communityId: closed }, 'community { path }');
    expect(await communityIds('zebra')).toEqual([]);
  });

  test('finds users by name, with the name they have now', async () => {
    const userIds = async (query: string) =>
      (await names(query, 'users(first: 5)', 'userId user { userId }')).map(({ userId }) => userId);
    await mutate('mia', 'updateUser', { displayName: 'María José' }, 'user { userId }');
    expect(await userIds('maria jo')).toEqual(['mia']);
    await mutate('mia', 'updateUser', { displayName: 'Mia' }, 'user { userId }');
    expect(await userIds('maria')).toEqual([]);
    expect(await userIds('mia')).toEqual(['mia']);
    await gateway.tokenOf('zoltan');
    await mutate('zoltan', 'deleteUser', {}, 'user { userId }');
    expect(await userIds('zoltan')).toEqual([]);
  });

  test('finds messages in the channels of the viewer only', async () => {
    const { channel } = await mutate('kim', 'createConversation', { userIds: ['leo'] }, 'channel { channelId }');
    const { channelId } = channel;
    const send = async (text: string): Promise<string> =>
      (await mutate('kim', 'sendMessage', { channelId, data: { text } }, 'chatMessage { messageId }')).chatMessage
        .messageId;
    const first = await send('The ibex is here');
    const second = await send('Two ibexes');
    const messageIds = async (as: string, args = '') =>
      (await names('ibex', `messages(first: 5${args})`, 'messageId message { messageId }', as)).map(
        ({ messageId }) => messageId,
      );
    expect(await messageIds('leo')).toEqual([first, second]);
    expect(await messageIds('leo', `, channelId: "${channelId}"`)).toEqual([first, second]);
    expect(await messageIds('mia')).toEqual([]);
    await mutate('kim', 'updateMessage', { messageId: first, data: { text: 'It left' } }, 'chatMessage { messageId }');
    await mutate('kim', 'deleteMessage', { messageId: second }, 'chatMessage { messageId }');
    expect(await messageIds('leo')).toEqual([]);
  });
});

describe('the REST paths', () => {
  test('return posts, each with a score, and their next page', async () => {
    const path = '/api/v1/semantic-search/posts?query=lemur&options[limit]=3';
    const first = await gateway.rest(path, { as: 'kim' });
    expect(first.status).toBe(200);
    const { posts, searchResult, paging, polls, users } = first.body as Payload;
    expect(searchResult.map(({ postId }: Payload) => postId)).toEqual(posts.map(({ postId }: Payload) => postId));
    expect(Object.keys(searchResult[0]).sort()).toEqual(['postId', 'score']);
    expect([polls, users[0].userId]).toEqual([[], 'kim']);
    const next = await gateway.rest(
      `/api/v1/semantic-search/posts?options[token]=${encodeURIComponent(paging.next)}&query=lemur`,
      {
        as: 'kim',
      },
    );
    expect((next.body as Payload).posts).toHaveLength(3);
  });

  test('return posts by hashtag', async () => {
    const { status, body } = await gateway.rest('/api/v1/search/posts?hashtags[]=humus&targetType=user', { as: 'kim' });
    expect([status, (body as Payload).posts.length]).toEqual([200, 2]);
  });

  test('return communities, each with a score', async () => {
    const { status, body } = await gateway.rest('/api/v1/semantic-search/communities?query=gnu&filter=member', {
      as: 'kim',
    });
    expect([status, (body as Payload).searchResult]).toMatchObject([200, [{ communityId: open }]]);
    expect((body as Payload).communities).toMatchObject([{ communityId: open }]);
  });

  test('return private communities that can be found if requested', async () => {
    const hidden = { displayName: 'Kakapo shelter', isPublic: false, isDiscoverable: false };
    const found = await community('kim', { ...hidden, isDiscoverable: true });
    await community('kim', hidden);
    const path = '/api/v1/semantic-search/communities?query=kakapo&includeDiscoverablePrivateCommunity';
    const ids = async (included: boolean) => {
      const { communities } = (await gateway.rest(`${path}=${included}`, { as: 'mia' })).body as Payload;
      return communities.map(({ communityId }: Payload) => communityId);
    };
    expect(await ids(true)).toEqual([found]);
    expect(await ids(false)).toEqual([]);
  });
});
