import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { CHAT } from '../support/chat-sample.ts';

/** Records and arguments of the calls. */
export interface ListNames {
  /** For each type with lists, the field that selects a record. */
  places: { [type: string]: string };
  /** Required arguments of lists, such as `Query.posts`. */
  required: { [list: string]: string };
  /** Arguments that must name an existing record. */
  names: { [argument: string]: string };
}

/** For each type with lists, the field that selects a record of the sample network. */
const PLACES: { [type: string]: string } = {
  Category: 'category(categoryId: "vegetables")',
  Channel: 'channel(channelId: "gardeners-chat")',
  Comment: 'comment(commentId: "tomatoes-carol")',
  Community: 'community(communityId: "gardeners")',
  Message: `message(messageId: "${CHAT.message('who-waters')}")`,
  MessageFeed: `messageFeed(messageFeedId: "${CHAT.feed}")`,
  ModerationItem: 'moderationItem(kind: POST, itemId: "miracle-fertiliser")',
  Post: 'post(postId: "greenhouse")',
  Search: 'search(query: "the seed")',
  Story: 'story(storyId: "morning-dew")',
  User: 'user(userId: "alice")',
  WebhookEndpoint: 'webhookEndpoint(endpointId: "eeeeeeeeeeeeeeeeeeeeeeee")',
};

/** Required arguments of lists. */
const REQUIRED: { [list: string]: string } = {
  'Query.bans': 'filter: { kind: NETWORK }',
  'Query.posts': 'targetType: COMMUNITY, targetId: "gardeners"',
  'Query.stories': 'targetType: COMMUNITY, targetId: "gardeners"',
  'Query.postViewers': 'postId: "seedlings"',
  'Query.storyViewers': 'storyId: "morning-dew"',
  'Query.reactions': 'referenceType: POST, referenceId: "seedlings"',
};
/** Arguments that must name an existing record. */
const NAMES: { [argument: string]: string } = {
  parentId: '"tomatoes-carol"',
  referenceId: '"tomatoes"',
  channelId: '"gardeners-chat"',
};
const SAMPLE: ListNames = { places: PLACES, required: REQUIRED, names: NAMES };
const PAGING = new Set(['first', 'after', 'last', 'before', 'skip']);

/** A call of a list; `paged` returns the document with the given page arguments. */
export interface ListCall {
  /** Whether it has no optional arguments except a sort order. */
  isPlain: boolean;
  paged(page: string): string;
}

/**
 * Calls of every list of the schema: without optional arguments, and with each value of each one, one at a time.
 * @throws Error for a list on a type that `places` does not know
 */
export function listCalls(schema: GraphQLSchema, names: ListNames = SAMPLE): ListCall[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => String(field.type).replace('!', '').endsWith('Connection'))
        .flatMap((field) => callsOf(type.name, field, names)),
    );
}

function callsOf(
  type: string,
  { name, args, type: connection }: GraphQLField<unknown, unknown>,
  { places, required: needed, names }: ListNames,
): ListCall[] {
  const list = `${type}.${name}`;
  const place = type === 'Query' ? undefined : places[type];
  if (type !== 'Query' && !place) throw new Error(`${list}: add its type to the places of the lists`);
  const required = needed[list] ?? '';
  const free = args.filter((one) => !PAGING.has(one.name) && !required.includes(`${one.name}:`));
  const choices = ['', ...free.flatMap((one) => choicesOf(one, names))];
  return choices.map((choice) => ({
    isPlain: choice === '' || choice.startsWith('sortBy:'),
    paged(page: string) {
      const args = [required, choice, page].filter(Boolean).join(', ');
      const field = `${name}(${args}) { edges { cursor ${hasNodes(connection) ? 'node { id }' : ''} } pageInfo { endCursor } }`;
      return place ? `{ ${place} { ${field} } }` : `{ ${field} }`;
    },
  }));
}

/** Whether a connection's records have a global id. */
function hasNodes(connection: GraphQLOutputType): boolean {
  const edges = (getNamedType(connection) as GraphQLObjectType).getFields().edges!;
  const node = getNamedType((getNamedType(edges.type) as GraphQLObjectType).getFields().node!.type);
  return isObjectType(node) && node.getInterfaces().some(({ name }) => name === 'Node');
}

const others = (needed: string[], choice: string): string[] =>
  needed.filter((one) => one.split(':')[0] !== choice.split(':')[0]);

const choicesOf = ({ name, type }: Pick<GraphQLArgument, 'name' | 'type'>, names: ListNames['names']): string[] =>
  (names[name] ? [names[name]] : valuesOf(type, names)).map((value) => `${name}: ${value}`);

function valuesOf(type: GraphQLInputType, names: ListNames['names']): string[] {
  if (isNonNullType(type)) return valuesOf(type.ofType, names).filter((value) => value !== 'null');
  if (isListType(type)) return valuesOf(type.ofType, names).map((value) => `[${value}]`);
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const needed = fields.filter((field) => isNonNullType(field.type)).map((field) => choicesOf(field, names)[0]!);
    return fields
      .flatMap((field) => choicesOf(field, names))
      .map((choice) => `{ ${[choice, ...others(needed, choice)].join(', ')} }`);
  }
  switch (type.name) {
    case 'Boolean':
      return ['true', 'false', 'null'];
    case 'Int':
      return ['2'];
    case 'DateTime':
      return ['"2026-01-01T00:00:00.000Z"'];
    default:
      return ['"a"'];
  }
}
