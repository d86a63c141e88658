import { serialize } from 'bson';
import { buildSchema, type GraphQLScalarType, parse } from 'graphql';
import { ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { createExecutor, type Prepared } from '../../schema/execute.ts';
import type { Context } from '../../src/context.ts';
import { createReadBudget } from '../../src/limits/read-budget.ts';
import { decodeRecord } from '../../src/store/decode.ts';

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
  }
`);
const SOURCE = '{ post { postId text tags createdAt metadata isMine next { postId } } }';

let serialized = 0;
(schema.getType('DateTime') as GraphQLScalarType).serialize = (value) => {
  serialized += 1;
  return (value as Date).toISOString();
};
schema.getQueryType()!.getFields().post!.resolve = (_, _args, context) => context.post;
const { isMine } = (schema.getType('Post') as ReturnType<typeof schema.getQueryType>)!.getFields();
isMine!.resolve = (_, _args, context) => context.isMine;

const createdAt = new Date('2026-01-05T09:30:00.000Z');
const document = {
  postId: 'a',
  text: null as string | null,
  tags: ['x'],
  createdAt,
  metadata: { size: 1 } as Record<string, number>,
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
  const context = { post, isMine: isMineNow, reads } as unknown as Context;
  const { data, errors } = await executor.run(prepared, { context });
  return { data: JSON.parse(JSON.stringify(data)) as { post: unknown }, errors, serialized, members };
}

const expected = {
  postId: 'a',
  text: null,
  tags: ['x'],
  createdAt: createdAt.toISOString(),
  metadata: { size: 1 },
  isMine: false,
  next: null,
};

test('stored fields are completed once for each version of a record, in all documents of the gateway', async () => {
  const post = stored();
  const first = await run(own(), post);
  const second = await run(own(), post);
  expect([first.data.post, first.serialized]).toEqual([expected, 1]);
  expect([second.data.post, second.serialized]).toEqual([expected, 0]);
  expect(Object.keys(second.data.post as object)).toEqual(Object.keys(expected));
  const changed = await run(own(), stored({ text: 'new' }));
  expect([changed.data.post, changed.serialized]).toEqual([{ ...expected, text: 'new' }, 1]);
});

test('fields with a resolver are resolved for each viewer', async () => {
  const post = stored();
  expect((await run(own(), post, true)).data.post).toMatchObject({ isMine: true });
  expect((await run(own(), post, false)).data.post).toMatchObject({ isMine: false });
});

test('free-form values are charged to each request', async () => {
  // Only members of long values are charged.
  const metadata = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`member${index}`, index]));
  const post = stored({ metadata });
  expect((await run(own(), post)).members).toBe(2_000);
  expect((await run(own(), post)).members).toBe(2_000);
});

test('a field that fails is reported by each execution', async () => {
  const post = stored({ tags: [null as unknown as string] });
  for (const _ of [1, 2]) {
    const { data, errors } = await run(own(), post);
    expect(data.post).toBeNull();
    expect(errors).toHaveLength(1);
  }
});

test('nothing is kept for documents of clients, and for objects that are not stored', async () => {
  const post = stored();
  const prepared = executor.prepare(SOURCE) as Prepared;
  expect([(await run(prepared, post)).serialized, (await run(prepared, post)).serialized]).toEqual([1, 1]);
  expect([(await run(own(), document)).serialized, (await run(own(), document)).serialized]).toEqual([1, 1]);
});
