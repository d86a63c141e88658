import { getNamedType, isEnumType, isObjectType } from 'graphql';
import { schema } from '../../schema/index.ts';

type Row = { [field: string]: unknown };

/** The side array of each type's records, and the fields that identify one. */
const PLACES: { [typeName: string]: { arrays: string[]; key: string[] } } = {
  User: { arrays: ['users'], key: ['userId'] },
  File: { arrays: ['files'], key: ['fileId'] },
  Community: { arrays: ['communities'], key: ['communityId'] },
  CommunityUser: { arrays: ['communityUsers'], key: ['communityId', 'userId'] },
  Category: { arrays: ['categories'], key: ['categoryId'] },
  Feed: { arrays: ['feeds'], key: ['feedId'] },
  Post: { arrays: ['posts', 'postChildren'], key: ['postId'] },
  Comment: { arrays: ['comments', 'commentChildren'], key: ['commentId'] },
  Story: { arrays: ['stories'], key: ['storyId'] },
  Poll: { arrays: ['polls'], key: ['pollId'] },
  VideoStream: { arrays: ['videoStreamings', 'videoStreamingChildren'], key: ['streamId'] },
  Channel: { arrays: ['channels'], key: ['channelId'] },
  ChannelUser: { arrays: ['channelUsers'], key: ['channelId', 'userId'] },
  Reaction: { arrays: ['reactor'], key: ['reactionId'] },
};

/** Fields of the same name with different meanings in GraphQL and REST. */
const OTHERWISE = new Set(['Post.comments', 'Post.children', 'Comment.children', 'Poll.answers']);

export interface Compared {
  /** `Type.field` of every value that both APIs returned. */
  fields: Set<string>;
  differences: string[];
}

/** Compares a GraphQL result with the side arrays of REST, record by record and field by field. */
export function compareContent(result: unknown, data: Row): Compared {
  const fields = new Set<string>();
  const differences: string[] = [];
  walk(result);
  return { fields, differences };

  function walk(value: unknown): void {
    if (Array.isArray(value)) value.forEach(walk);
    if (typeof value !== 'object' || value === null) return;
    const { __typename } = value as Row;
    const place = PLACES[String(__typename)];
    const row = place && rowOf(value as Row, place);
    if (row) compare(value as Row, row, String(__typename));
    Object.values(value).forEach(walk);
  }

  function rowOf(record: Row, { arrays, key }: (typeof PLACES)[string]): Row | undefined {
    const rows = arrays.flatMap((array) => (data[array] as Row[] | Row | null | undefined) ?? []);
    return (rows as Row[]).find((row) => key.every((field) => row[field] === record[field]));
  }

  function compare(record: Row, row: Row, typeName: string): void {
    for (const [field, value] of Object.entries(record)) {
      const name = `${typeName}.${field}`;
      if (field === '__typename' || row[field] === undefined || OTHERWISE.has(name)) continue;
      fields.add(name);
      const expected = asStored(typeName, field, value);
      if (!covers(row[field], expected)) {
        differences.push(`${name}: ${JSON.stringify(expected)} over GraphQL, ${JSON.stringify(row[field])} over REST`);
      }
    }
  }
}

/** GraphQL spells enum values in upper case. */
function asStored(typeName: string, field: string, value: unknown): unknown {
  const type = schema.getType(typeName);
  const inner = isObjectType(type) ? getNamedType(type.getFields()[field]!.type) : null;
  if (!isEnumType(inner) || value === null) return value;
  const stored = (name: unknown) => inner.getValue(String(name))!.value;
  return Array.isArray(value) ? value.map(stored) : stored(value);
}

/** Whether two values agree in the fields that both have: objects of REST have fewer fields, some under other names. */
function covers(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => covers(item, other[index]));
  }
  if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null) {
    return Object.entries(one).every(
      ([name, value]) => !Object.hasOwn(other, name) || covers(value, (other as Row)[name]),
    );
  }
  return one === other || (typeof one === 'string' && typeof other === 'string' && one.toUpperCase() === other);
}
