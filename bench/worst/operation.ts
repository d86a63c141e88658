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
import { communityId, postId, viewerId } from '../data.ts';
import { HEAVY_POSTS } from './heavy-records.ts';

type Field = GraphQLField<unknown, unknown>;

/** Fields that lead from a root type into nested records; what a search varies. */
export interface Plan {
  root: 'query' | 'mutation';
  path: readonly Step[];
  /** How the sizes of pages are given. */
  sizes: 'literal' | 'variable' | 'default';
}

export interface Step {
  field: Field;
  /** Records of one page. */
  first: number;
  /** How often the field is selected. */
  aliases: number;
  /** Leaf fields of the records, each with how often it is selected. */
  leaves: ReadonlyArray<readonly [name: string, aliases: number]>;
}

const many = (count: number, idOf: (index: number) => string) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => idOf(index)));

/** Values of required arguments, by name. Fields that need others are not searched. */
const ARGUMENTS: { readonly [name: string]: string } = {
  userId: JSON.stringify(viewerId(0)),
  postId: JSON.stringify(postId(0)),
  communityId: JSON.stringify(communityId(0)),
  channelId: '"bench-channel-0"',
  targetId: JSON.stringify(communityId(0)),
  targetType: 'COMMUNITY',
  referenceId: JSON.stringify(postId(0)),
  referenceType: 'POST',
  userIds: many(100, (index) => `bench-user-${index}`),
  postIds: many(HEAVY_POSTS, (index) => `heavy-post-${index}`),
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
  { root, path, sizes }: Plan,
  name: string,
): { query: string; variables: { [name: string]: number } } {
  const variables: { [name: string]: number } = {};
  const definitions: string[] = [];
  const sizeOf = ({ first }: Step, depth: number): string => {
    if (sizes === 'literal') return String(first);
    definitions.push(`$n${depth}: Int${sizes === 'default' ? ` = ${first}` : ''}`);
    if (sizes === 'variable') variables[`n${depth}`] = first;
    return `$n${depth}`;
  };
  const selected = (depth: number): string => {
    const step = path[depth]!;
    const given = step.field.args.flatMap((argument) => {
      if (argument.name === 'first') return `first: ${sizeOf(step, depth)}`;
      return isRequiredArgument(argument) ? `${argument.name}: ${ARGUMENTS[argument.name]}` : [];
    });
    const leaves = step.leaves.flatMap(([leaf, aliases]) => repeated(leaf, aliases, leaf));
    const inner = [...leaves, ...(depth + 1 < path.length ? [selected(depth + 1)] : [])].join(' ') || '__typename';
    const type = getNamedType(step.field.type);
    const set = isConnection(type) ? `{ edges { node { ${inner} } } }` : `{ ${inner} }`;
    const call = `${step.field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${set}`;
    return repeated(step.field.name, step.aliases, call).join(' ');
  };
  const body = selected(0);
  const declared = definitions.length > 0 ? `(${[...new Set(definitions)].join(', ')})` : '';
  return { query: `${root} ${name}${declared} { ${body} }`, variables };
}

function repeated(name: string, times: number, text: string): string[] {
  return Array.from({ length: times }, (_, index) => (index === 0 ? text : `${name}_${index}: ${text}`));
}

export const queryType = schema.getQueryType()!;
