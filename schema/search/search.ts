import { viewerOf } from '../../src/context.ts';
import { searchCommunities } from '../../src/domain/search/search-communities.ts';
import { MAX_SEARCHED_CHANNELS, searchMessages } from '../../src/domain/search/search-messages.ts';
import { searchPosts } from '../../src/domain/search/search-posts.ts';
import { searchUsers } from '../../src/domain/search/search-users.ts';
import { MAX_QUERY } from '../../src/domain/search/search-words.ts';
import { builder } from '../builder.ts';
import { CommunityFilter } from '../community/communities.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import {
  CommunitySearchResult,
  CommunitySearchResults,
  MessageSearchResult,
  MessageSearchResults,
  PostSearchResult,
  PostSearchResults,
  UserSearchResult,
  UserSearchResults,
} from './search-results.ts';

const ORDER = 'highest score first. A page may be short although there is a next page';

const SearchTarget = restEnum('SearchTarget', 'Where a search looks for posts.', {
  all: 'Communities and the feeds of users. Default.',
  community: 'Communities.',
  user: 'The feeds of users.',
});

/** `listKey` identifies the lists of a query for their cursors. */
const Search = builder.objectRef<{ query: string; listKey: string }>('Search').implement({
  description:
    'The results of a search by kind of record. Each list contains what the viewer can see. A score is from 0 to 1: 1 if all words are in the title or name, 0.5 for whole words elsewhere, 0.25 if the last word is only the beginning of one; it halves every 30 days after the creation of the record.',
  fields: (t) => ({
    posts: t.connection(
      {
        type: PostSearchResult,
        description: `Published parent posts by title, text, tags and hashtags, ${ORDER}.`,
        args: {
          hashtags: t.arg.stringList({
            description:
              'Only posts with at least one of these hashtags, at most 20. Case and accents are ignored. Can be given without a query.',
          }),
          targetType: t.arg({
            type: SearchTarget,
            required: true,
            defaultValue: 'all',
            description: 'Where to look for posts.',
          }),
          targetId: t.arg.string({
            description:
              'Only posts of the community or user with this public id; requires a `targetType`. Rejected with `NOT_FOUND` if the viewer cannot see the posts there.',
          }),
          dataTypes: t.arg.stringList({
            description: 'Only posts of these kinds, or with attachments of these kinds, such as `image`, at most 20.',
          }),
          skip: t.arg.int({ description: SKIP }),
        },
        resolve: async ({ query }, { targetType, ...args }, context) =>
          toConnection(
            await searchPosts(context, {
              ...args,
              query,
              targetType: targetType === 'all' ? null : targetType,
              request: pageRequest(args),
            }),
          ),
      },
      PostSearchResults,
    ),
    communities: t.connection(
      {
        type: CommunitySearchResult,
        description: `Communities by name, description and tags, ${ORDER}.`,
        args: {
          filter: t.arg({
            type: CommunityFilter,
            required: true,
            defaultValue: 'all',
            description: 'Filter by the membership of the viewer.',
          }),
          includeDiscoverable: t.arg.boolean({
            defaultValue: false,
            description: 'Whether to find private communities that the viewer cannot see but can request to join.',
          }),
          categoryIds: t.arg.stringList({
            description: 'Only communities of at least one of these categories, at most 20.',
          }),
          tags: t.arg.stringList({ description: 'Only communities with at least one of these tags, at most 20.' }),
          skip: t.arg.int({ description: SKIP }),
        },
        resolve: async ({ query }, args, context) =>
          toConnection(await searchCommunities(context, { ...args, query, request: pageRequest(args) })),
      },
      CommunitySearchResults,
    ),
    users: t.connection(
      {
        type: UserSearchResult,
        description: `Users by name, ${ORDER}.`,
        resolve: async ({ query }, args, context) =>
          toConnection(await searchUsers(context, { query, request: pageRequest(args) })),
      },
      UserSearchResults,
    ),
    messages: t.connection(
      {
        type: MessageSearchResult,
        description: `Messages by text and tags, ${ORDER}.`,
        args: {
          channelId: t.arg.string({
            description: `Only messages of this channel. By default the ${MAX_SEARCHED_CHANNELS} most recently active channels of the viewer are searched.`,
          }),
        },
        resolve: async ({ query }, args, context) =>
          toConnection(await searchMessages(context, { ...args, query, request: pageRequest(args) })),
      },
      MessageSearchResults,
    ),
  }),
});

builder.queryField('search', (t) =>
  t.field({
    type: Search,
    description:
      'Searches records by words. Case and accents are ignored. A record has all words of the query; the last word may be the beginning of one. Parts within a word are not found.',
    args: {
      query: t.arg.string({
        required: true,
        defaultValue: '',
        description: `Words, or hashtags that start with \`#\`, at most ${MAX_QUERY} characters. The first eight distinct words are matched. Without words the lists are empty.`,
      }),
    },
    resolve: (_, { query }, context) => {
      viewerOf(context);
      return { query, listKey: query };
    },
  }),
);
