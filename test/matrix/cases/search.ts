import type { CollectionName } from '../../../src/store/collections.ts';
import { entriesOf } from '../../../src/store/search/entries.ts';
import { PLACE_IDS } from '../actors.ts';
import { createMessage, createPost } from '../content.ts';
import type { Fixtures, Variables } from '../fixtures.ts';
import { emptyIn, type MatrixCase } from '../matrix-case.ts';
import { createPlace } from '../places.ts';

/** A word that no other record has. */
const newWord = (fixtures: Fixtures) => `w${fixtures.uniqueId('word').replace(/[^a-z0-9]/gi, '')}x`;

async function index(fixtures: Fixtures, name: CollectionName, record: object): Promise<void> {
  await fixtures.gateway.services.store.collections.searchEntries.insertMany(entriesOf(name, [record]));
}

interface Search {
  situation: string;
  /** The list with its arguments and the selection of its nodes. */
  list: string;
  prepare: (fixtures: Fixtures) => Promise<Variables>;
  rest?: MatrixCase['rest'];
  array?: string;
}

const search = ({ situation, list, prepare, rest, array }: Search): MatrixCase => ({
  operation: 'search',
  situation,
  document: `query ($query: String!${list.includes('$id') ? ', $id: String' : ''}) { answer: search(query: $query) { list: ${list} } }`,
  prepare,
  isAbsent: (answer) => !(answer as { list: { edges: unknown[] } | null } | null)?.list?.edges.length,
  ...(rest && array && { rest, isAbsentInRest: emptyIn(array) }),
});

const post = (situation: string, communityId: string) =>
  search({
    situation,
    list: 'posts { edges { node { postId } } }',
    async prepare(fixtures) {
      const query = newWord(fixtures);
      const data = { text: `#${query}` };
      await index(fixtures, 'posts', await createPost(fixtures, communityId, { data, hashtags: [query] }));
      return { query };
    },
    rest: [
      ({ query }) => ({ method: 'GET', path: `/api/v1/semantic-search/posts?query=${query}` }),
      ({ query }) => ({ method: 'GET', path: `/api/v1/search/posts?hashtags[]=${query}` }),
    ],
    array: 'posts',
  });

const community = (situation: string, isPublic: boolean, includeDiscoverable = false) =>
  search({
    situation,
    list: `communities(includeDiscoverable: ${includeDiscoverable}) { edges { node { communityId } } }`,
    async prepare(fixtures) {
      const query = newWord(fixtures);
      await createPlace(fixtures, { isPublic, displayName: query });
      return { query };
    },
    rest: ({ query }) => ({
      method: 'GET',
      path: `/api/v1/semantic-search/communities?query=${query}&includeDiscoverablePrivateCommunity=${includeDiscoverable}`,
    }),
    array: 'communities',
  });

const message = (situation: string, channelId: string) =>
  search({
    situation,
    list: 'messages(channelId: $id) { edges { node { messageId } } }',
    async prepare(fixtures) {
      const query = newWord(fixtures);
      const sent = await createMessage(fixtures, channelId);
      await index(fixtures, 'messages', { ...sent, data: { text: query } });
      return { query, id: channelId };
    },
  });

export const SEARCH_CASES: MatrixCase[] = [
  post('a post in a public community', PLACE_IDS.community),
  post('a post in a private community', PLACE_IDS.privateCommunity),
  community('a public community', true),
  community('a private community', false),
  community('a private community that can be found, if requested', false, true),
  message('a message in a public channel', PLACE_IDS.channel),
  message('a message in a private channel', PLACE_IDS.privateChannel),
];
