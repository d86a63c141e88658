import type { DocumentNode, GraphQLSchema } from 'graphql';
import { formOf, withForm } from '../schema/plan/forms.ts';
import type { PageInfo } from './paging.ts';
import { compileWriter, type JsonObject, type Transform, UnwrittenRecord } from './record-text.ts';
import { type ContainerShape, type Leaf, type Link, type RecordShape, readShape, type Shape } from './shapes.ts';

export interface Flattened<Record = JsonObject> {
  /** Every side array of the route, empty when there is nothing. */
  arrays: { [array: string]: Record[] };
  /** Values outside records, such as an access token. */
  values: JsonObject;
  pageInfo: PageInfo | null;
  /** The `OperationError` that a mutation returned. */
  failure: { code: string; message: string; detail?: string[]; path?: string[] } | null;
}

/** Fields that identify a record of a type. Types without duplicates in one answer need no entry. */
const KEYS: { readonly [typeName: string]: readonly string[] } = {
  User: ['userId'],
  Follow: ['from', 'to'],
  FollowCounts: ['userId'],
  File: ['fileId'],
  Community: ['communityId'],
  CommunityUser: ['communityId', 'userId'],
  Category: ['categoryId'],
  Feed: ['feedId'],
  JoinRequest: ['joinRequestId'],
  Role: ['roleId'],
  Post: ['postId'],
  Comment: ['commentId'],
  Story: ['storyId'],
  StoryTarget: ['targetType', 'targetId'],
  Pin: ['placement', 'referenceId'],
  PinTarget: ['targetType', 'targetId'],
  Poll: ['pollId'],
  VideoStream: ['streamId'],
  Room: ['roomId'],
  Channel: ['channelId'],
  ChannelUser: ['channelId', 'userId'],
  MessagePreview: ['messageId'],
  MessageFeedInfo: ['messageFeedId'],
  MessageFeed: ['messageFeedId'],
  Message: ['messageId'],
  UserMarker: ['userId'],
  UserFeedMarker: ['userId', 'feedId'],
  UserEntityMarker: ['userId', 'entityId'],
  FeedMarker: ['feedId'],
  MessageMarker: ['contentId'],
};

/**
 * Id lists of a record, each with the field that selects the records of the ids. If a document does not select that
 * field, the list is emptied, because the answer has no array with these records.
 */
const RESOLVED_BY: { readonly [leaf: string]: string } = {
  childStreamIds: 'videoStreamingChildren',
  childRoomIds: 'roomChildrens',
};

interface Sink extends Flattened<unknown> {
  seen: { [array: string]: Set<string> };
}

type Visit = (value: JsonObject, sink: Sink) => void;

/**
 * Compiles the conversion of a document's result to side arrays: each record is once in the array of its type, without
 * the records it refers to. See `docs/interface.md#responses` and `docs/decisions/0002-rest-executes-graphql.md`.
 */
export function compileFlatten(
  schema: GraphQLSchema,
  document: DocumentNode,
  arrays: readonly string[],
): (data: JsonObject) => Flattened {
  return compile(schema, document, { arrays, recordOf: compileCopyOf }) as (data: JsonObject) => Flattened;
}

/** As {@link compileFlatten}, with records that are serialized later. */
export function compileUnwritten(
  schema: GraphQLSchema,
  document: DocumentNode,
  arrays: readonly string[],
): (data: JsonObject) => Flattened<UnwrittenRecord> {
  const flatten = compile(schema, document, { arrays, recordOf: compileUnwrittenOf });
  return flatten as (data: JsonObject) => Flattened<UnwrittenRecord>;
}

interface Target {
  arrays: readonly string[];
  /** Compiles what an array contains of a record. */
  recordOf: (leaves: Leaf[], isEmptied: (leaf: Leaf) => boolean) => (value: JsonObject) => unknown;
}

const compileCopyOf: Target['recordOf'] = (leaves, isEmptied) => {
  const copy = compileCopy(leaves, isEmptied);
  return (value) => copy(withForm(value));
};

const compileUnwrittenOf: Target['recordOf'] = (leaves, isEmptied) => {
  const written = leaves.map((leaf) => ({ leaf, transform: transformOf(leaf), isEmptied: isEmptied(leaf) }));
  const writer = compileWriter(written, compileCopy(leaves, isEmptied));
  return (value) => new UnwrittenRecord(writer, value);
};

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  target: Target,
): (data: JsonObject) => Flattened<unknown> {
  const { arrays } = target;
  const visit = visitContainer(readShape(schema, document, arrays), target);
  return (data) => {
    const sink: Sink = { arrays: {}, values: {}, pageInfo: null, failure: null, seen: {} };
    for (const array of arrays) {
      sink.arrays[array] = [];
      sink.seen[array] = new Set();
    }
    visit(data, sink);
    return sink;
  };
}

function visitShape(shape: Shape, target: Target): Visit {
  return shape.kind === 'record' ? visitRecord(shape, target) : visitContainer(shape, target);
}

function visitContainer(shape: ContainerShape, target: Target): Visit {
  const links = visitLinks(shape.links, target);
  if (shape.typeName === 'PageInfo') {
    return (value, sink) => {
      sink.pageInfo = value as unknown as PageInfo;
    };
  }
  const leaves = shape.leaves
    .filter(({ key }) => key !== 'cursor' && key !== '__typename')
    .map((leaf) => [leaf.key, leaf.enumType && transformOf(leaf)] as const);
  return (value, sink) => {
    if (value.__typename === 'OperationError') {
      sink.failure = value as unknown as Flattened['failure'];
      return;
    }
    for (const [key, transform] of leaves) {
      const given = value[key];
      if (given !== undefined) sink.values[key] = transform ? transform(given) : given;
    }
    links(value, sink);
  };
}

function visitRecord(shape: RecordShape, target: Target): Visit {
  if (!target.arrays.includes(shape.array)) {
    throw new Error(`The document selects ${shape.typeName}, but the route has no array ${shape.array}.`);
  }
  const { array } = shape;
  const linkKeys = new Set(shape.links.map(({ key }) => key));
  const isEmptied = ({ key }: Leaf) => key in RESOLVED_BY && !linkKeys.has(RESOLVED_BY[key]!);
  const recordOf = target.recordOf(shape.leaves, isEmptied);
  const links = visitLinks(shape.links, target);
  const keys = KEYS[shape.typeName] ?? [];
  for (const key of keys) {
    if (!shape.leaves.some((leaf) => leaf.key === key)) {
      throw new Error(`The document selects ${shape.typeName} without ${key}, by which duplicates are found.`);
    }
  }
  const [first, second] = keys;
  return (value, sink) => {
    if (first !== undefined) {
      const id = memberOf(value, first);
      const key = second === undefined ? String(id) : `${id}\n${memberOf(value, second)}`;
      const seen = sink.seen[array]!;
      if (seen.has(key)) return links(value, sink);
      seen.add(key);
    }
    sink.arrays[array]!.push(recordOf(value));
    links(value, sink);
  };
}

/** A field of an object of the result, which may be in its form. */
const memberOf = (value: JsonObject, key: string): unknown => value[key] ?? formOf(value)?.values[key];

function visitLinks(links: Link[], target: Target): Visit {
  const visits = links.map(({ key, shape }) => [key, visitShape(shape, target)] as const);
  return (value, sink) => {
    for (const [key, visit] of visits) {
      const next = memberOf(value, key);
      if (next === null || next === undefined) continue;
      if (Array.isArray(next)) {
        for (const item of next) if (item !== null) visit(item, sink);
      } else {
        visit(next as JsonObject, sink);
      }
    }
  };
}

/**
 * Compiles a function that copies the leaves of a record, so that all copies share one hidden class. The keys come from
 * the gateway's own documents and are JSON-escaped nevertheless.
 */
function compileCopy(
  leaves: Leaf[],
  isEmptied: (leaf: Leaf) => boolean = () => false,
): (value: JsonObject) => JsonObject {
  const transforms = leaves.map(transformOf);
  const parts = leaves.map((leaf, index) => {
    const name = JSON.stringify(leaf.key);
    if (isEmptied(leaf)) return `${name}: []`;
    return transforms[index] ? `${name}: t[${index}](r[${name}])` : `${name}: r[${name}]`;
  });
  return new Function('t', `return (r) => ({ ${parts.join(', ')} });`)(transforms) as (value: JsonObject) => JsonObject;
}

/** Converts enum values from their GraphQL names to their stored and REST spelling. */
function transformOf(leaf: Leaf): Transform | null {
  // Undefined keeps one hidden class; JSON omits the field.
  if (leaf.isOmittedWhenNull) return (value) => value ?? undefined;
  if (leaf.enumType) {
    const values = new Map(leaf.enumType.getValues().map(({ name, value }) => [name, value as string]));
    return each((name) => values.get(name as string));
  }
  if (!leaf.inner?.some((inner) => transformOf(inner) !== null)) return null;
  const copy = compileCopy(leaf.inner);
  return each((value) => copy(value as JsonObject));
}

function each(transform: Transform): Transform {
  return (value) => {
    if (value === null || value === undefined) return value;
    return Array.isArray(value) ? value.map((item) => (item === null ? null : transform(item))) : transform(value);
  };
}
