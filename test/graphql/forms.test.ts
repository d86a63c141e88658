import { serialize } from 'bson';
import { buildSchema, type GraphQLScalarType, parse } from 'graphql';
import { ObjectId } from 'mongodb';
import { describe, expect, test } from 'vitest';
import type { Prepared } from '../../schema/documents/prepare.ts';
import { createExecutor } from '../../schema/execute.ts';
import { ofRecordIf } from '../../schema/shared/of-record.ts';
import type { Context } from '../../src/context.ts';
import { createReadBudget } from '../../src/limits/read-budget.ts';
import { decodeRecord } from '../../src/store/decode.ts';
import { whole } from '../support/whole-result.ts';

const schema = buildSchema(`
  scalar DateTime
  scalar JSONObject
  type Query { post: Post posts: [Post!]! }
  type Post {
    postId: String!
    text: String
    tags: [String!]!
    createdAt: DateTime!
    metadata: JSONObject!
    isMine: Boolean!
    next: Post
    place: Place!
    likes: [String!]!
  }
  type Place { city: String! openedAt: DateTime! }
`);
const SOURCE = '{ post { postId text tags createdAt metadata isMine next { postId } place { city openedAt } likes } }';

let serialized = 0;
(schema.getType('DateTime') as GraphQLScalarType).serialize = (value) => {
  serialized += 1;
  return (value as Date).toISOString();
};
schema.getQueryType()!.getFields().post!.resolve = (_, _args, context) => context.post;
const { isMine, likes } = (schema.getType('Post') as ReturnType<typeof schema.getQueryType>)!.getFields();
isMine!.resolve = (_, _args, context) => context.isMine;
Object.assign(likes!, {
  resolve: (post: { likeCount: number }, _: object, context: { likes: string[] }) =>
    post.likeCount === 0 ? [] : context.likes,
  ...ofRecordIf<{ likeCount: number }>(({ likeCount }) => likeCount === 0),
});

const createdAt = new Date('2026-01-05T09:30:00.000Z');
const document = {
  postId: 'a',
  text: null as string | null,
  tags: ['x'],
  createdAt,
  metadata: { size: 1 } as Record<string, number>,
  place: { city: 'Leeds', openedAt: createdAt },
  likeCount: 1,
};
const stored = (changes: Partial<typeof document> = {}) =>
  decodeRecord(Buffer.from(serialize({ _id: new ObjectId(), ...document, ...changes })));

const executor = createExecutor({ schema, onMaskedError: ({ message }) => message });
const own = () => executor.prepareOwn(parse(SOURCE));

/** The response, and how many times were serialized for it. */
async function run(prepared: Prepared, post: object, isMineNow = false) {
  serialized = 0;
  const reads = createReadBudget();
  let members = 0;
  reads.chargeMembers = (count) => {
    members += count;
  };
  const context = { post, isMine: isMineNow, likes: ['you'], reads } as unknown as Context;
  const { data, errors } = await executor.run(prepared, { context });
  return { data: JSON.parse(JSON.stringify(whole(data))) as { post: unknown }, errors, serialized, members };
}

const expected = {
  postId: 'a',
  text: null,
  tags: ['x'],
  createdAt: createdAt.toISOString(),
  metadata: { size: 1 },
  isMine: false,
  next: null,
  place: { city: 'Leeds', openedAt: createdAt.toISOString() },
  likes: ['you'],
};
/** Of one response: `createdAt` and `openedAt`. */
const TIMES = 2;

test('stored fields are completed twice for each version of a record, in all documents of the gateway', async () => {
  const post = stored();
  const times: number[] = [];
  for (const _ of [1, 2, 3, 4]) {
    const { data, serialized } = await run(own(), post);
    expect(data.post).toEqual(expected);
    expect(Object.keys(data.post as object)).toEqual(Object.keys(expected));
    times.push(serialized);
  }
  expect(times).toEqual([TIMES, TIMES, 0, 0]);
  const changed = await run(own(), stored({ text: 'new' }));
  expect([changed.data.post, changed.serialized]).toEqual([{ ...expected, text: 'new' }, TIMES]);
});

test('documents that select different fields of a value inside a record have forms of their own', async () => {
  const post = stored();
  const select = (fields: string) =>
    executor.prepareOwn(parse(`{ post { postId text tags createdAt place { ${fields} } } }`));
  for (const _ of [1, 2, 3]) {
    expect((await run(select('city'), post)).data.post).toMatchObject({ place: { city: 'Leeds' } });
    expect((await run(select('city openedAt'), post)).data.post).toMatchObject({ place: expected.place });
  }
});

test('fields with a resolver are resolved for each viewer', async () => {
  const post = stored();
  for (const isMine of [true, false, true, false])
    expect((await run(own(), post, isMine)).data.post).toMatchObject({ isMine });
});

test('free-form values are charged to each request', async () => {
  // Only members of long values are charged.
  const metadata = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`member${index}`, index]));
  const post = stored({ metadata });
  for (const _ of [1, 2, 3]) expect((await run(own(), post)).members).toBe(2_000);
});

test('a field that fails is reported by each execution', async () => {
  const post = stored({ tags: [null as unknown as string] });
  for (const _ of [1, 2, 3]) {
    const { data, errors } = await run(own(), post);
    expect(data.post).toBeNull();
    expect(errors).toHaveLength(1);
  }
});

test('a field that is constant for some records is resolved for the others only', async () => {
  const [liked, unliked] = [stored({ likeCount: 3 }), stored({ likeCount: 0 })];
  for (const _ of [1, 2, 3]) {
    expect((await run(own(), liked)).data.post).toEqual(expected);
    expect((await run(own(), unliked)).data.post).toEqual({ ...expected, likes: [] });
  }
});

test('nothing is kept for objects that are not stored', async () => {
  for (const _ of [1, 2, 3]) expect((await run(own(), document)).serialized).toBe(TIMES);
});

describe('for documents of clients', () => {
  const prepared = (source = SOURCE) => executor.prepare(source) as Prepared;
  const aliased = (name: string) => SOURCE.replace('postId', `${name}: postId`);

  test('three selections of a record are kept, and further ones replace them seldom', async () => {
    const post = stored();
    const times = async (name: string) => (await run(prepared(aliased(name)), post)).serialized;
    await times('first');
    for (const name of ['a', 'b', 'c']) expect([await times(name), await times(name)]).toEqual([TIMES, 0]);
    const further = [];
    for (let turn = 0; turn < 9; turn += 1) further.push(await times('d'));
    expect(further).toEqual([...Array(8).fill(TIMES), 0]);
    expect([await times('a'), await times('b'), await times('c')]).toEqual([TIMES, 0, 0]);
  });

  test('no more than 64 values of a selection are kept', async () => {
    const aliases = (field: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${field}${index}: ${field}`).join(' ');
    const source = (times: number) => `{ post { ${aliases('postId', 50)} ${aliases('createdAt', times)} } }`;
    const post = stored();
    for (const _ of [1, 2]) await run(prepared(source(14)), post);
    expect((await run(prepared(source(14)), post)).serialized).toBe(0);
    await run(prepared(source(20)), post);
    expect((await run(prepared(source(20)), post)).serialized).toBe(6);
    const nested = (name: string) => `${name}: place { ${aliases('openedAt', 25)} }`;
    const places = `{ post { postId text tags ${['a', 'b', 'c'].map(nested).join(' ')} } }`;
    const again = stored();
    for (const _ of [1, 2]) expect((await run(prepared(places), again)).serialized).toBe(75);
    expect((await run(prepared(places), again)).serialized).toBe(25);
  });
});
