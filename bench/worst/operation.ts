import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schema } from '../../schema/index.ts';
import { communityId, feedId } from '../data.ts';
import {
  HEAVY,
  HEAVY_FEED_OWNER,
  heavyCommentId,
  heavyMessageId,
  heavyPostId,
  heavyUserId,
  widePostId,
} from './heavy-records.ts';

type Field = GraphQLField<unknown, unknown>;

/** Fields that lead from the query type into nested records; what a search varies. */
export interface Plan {
  /** Run side by side. */
  paths: ReadonlyArray<readonly Step[]>;
  /** How the sizes of pages are given. */
  sizes: 'literal' | 'variable' | 'default';
  signedIn: boolean;
}

export interface Step {
  field: Field;
  /** Records of one page, and of those before it. */
  first: number;
  skip: number;
  /** How often the field is selected. */
  aliases: number;
  /** Leaf fields of the records, each with how often it is selected. */
  leaves: ReadonlyArray<readonly [name: string, aliases: number]>;
}

const many = (count: number, idOf: (index: number) => string) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => idOf(index)));
/** Posts that lead to as many different records as there can be. */
const POST_IDS = many(HEAVY, (index) => (index % 2 ? heavyPostId(index) : widePostId(index)));
const USER_IDS = many(HEAVY, heavyUserId);

/** Values of required arguments, by name. Fields that need others are not searched. */
const ARGUMENTS: { readonly [name: string]: string } = {
  userId: JSON.stringify(HEAVY_FEED_OWNER),
  postId: JSON.stringify(heavyPostId(0)),
  commentId: JSON.stringify(heavyCommentId(0)),
  messageId: JSON.stringify(heavyMessageId(0)),
  messageFeedId: JSON.stringify(feedId(0, 'talk')),
  communityId: JSON.stringify(communityId(0)),
  channelId: '"bench-channel-0"',
  targetId: JSON.stringify(communityId(0)),
  targetType: 'COMMUNITY',
  referenceId: JSON.stringify(heavyPostId(0)),
  referenceType: 'POST',
  targets: `[{ targetType: COMMUNITY, targetId: ${JSON.stringify(communityId(0))} }]`,
  userIds: USER_IDS,
  postIds: POST_IDS,
  commentIds: many(HEAVY, heavyCommentId),
  messageIds: many(HEAVY, heavyMessageId),
  messageFeedIds: many(10, (index) => feedId(index, 'talk')),
  channelIds: many(10, (index) => `bench-channel-${index}`),
  communityIds: many(10, communityId),
};

/** The field's records, through `edges` and `node` where it is a connection. */
export function recordsOf(field: Field): GraphQLNamedType {
  const type = getNamedType(field.type);
  if (!isConnection(type) || !isObjectType(type)) return type;
  const edge = getNamedType(type.getFields().edges!.type);
  return isObjectType(edge) ? getNamedType(edge.getFields().node!.type) : type;
}

export function isConnection(type: GraphQLNamedType): boolean {
  return type.name.endsWith('Connection');
}

export function fieldsOf(type: GraphQLNamedType): { links: Field[]; leaves: Field[] } {
  if (!isObjectType(type)) return { links: [], leaves: [] };
  const usable = Object.values(type.getFields()).filter(({ args }) => args.every(isFilled));
  const isLeaf = (field: Field) => isLeafType(getNamedType(field.type));
  const isLink = (field: Field) => !isLeaf(field) && !isAbstractType(recordsOf(field));
  return { links: usable.filter(isLink), leaves: usable.filter(isLeaf) };
}

function isFilled(argument: GraphQLArgument): boolean {
  return !isRequiredArgument(argument) || argument.name in ARGUMENTS;
}

/** @param name makes the document one that was never seen before */
export function printPlan(
  { paths, sizes }: Plan,
  name: string,
): { query: string; variables: { [name: string]: number } } {
  const variables: { [name: string]: number } = {};
  const definitions: string[] = [];
  const sizeOf = (value: number, variable: string): string => {
    if (sizes === 'literal') return String(value);
    definitions.push(`$${variable}: Int${sizes === 'default' ? ` = ${value}` : ''}`);
    if (sizes === 'variable') variables[variable] = value;
    return `$${variable}`;
  };
  const selected = (path: readonly Step[], place: number, depth: number): string => {
    const step = path[depth]!;
    const given = step.field.args.flatMap((argument) => {
      if (argument.name === 'first') return `first: ${sizeOf(step.first, `n${place}_${depth}`)}`;
      if (argument.name === 'skip' && step.skip > 0) return `skip: ${sizeOf(step.skip, `s${place}_${depth}`)}`;
      return isRequiredArgument(argument) ? `${argument.name}: ${ARGUMENTS[argument.name]}` : [];
    });
    const leaves = step.leaves.flatMap(([leaf, aliases]) => repeated(leaf, aliases, leaf));
    const next = depth + 1 < path.length ? [selected(path, place, depth + 1)] : [];
    const inner = [...leaves, ...next].join(' ') || '__typename';
    const type = getNamedType(step.field.type);
    const set = isConnection(type) ? `{ edges { node { ${inner} } } }` : `{ ${inner} }`;
    const call = `${step.field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${set}`;
    return repeated(step.field.name, step.aliases, call, depth === 0 && place > 0 ? `p${place}` : '').join(' ');
  };
  const body = paths.map((path, place) => selected(path, place, 0)).join(' ');
  const declared = definitions.length > 0 ? `(${[...new Set(definitions)].join(', ')})` : '';
  return { query: `query ${name}${declared} { ${body} }`, variables };
}

function repeated(name: string, times: number, text: string, prefix = ''): string[] {
  return Array.from({ length: times }, (_, index) =>
    index === 0 && !prefix ? text : `${prefix}${name}_${index}: ${text}`,
  );
}

export const queryType = schema.getQueryType()!;
