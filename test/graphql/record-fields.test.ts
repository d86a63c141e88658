import { type GraphQLField, type GraphQLResolveInfo, isObjectType } from 'graphql';
import type { Collection, Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { dependsOnRecord } from '../../schema/shared/of-record.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** Collections with the records of the types that have such fields. */
const COLLECTIONS: { readonly [typeName: string]: string } = {
  User: 'users',
  File: 'files',
  Community: 'communities',
  CommunityUser: 'communityUsers',
  Post: 'posts',
  Comment: 'comments',
  Story: 'stories',
  Poll: 'polls',
  Channel: 'channels',
  Message: 'messages',
  JoinRequest: 'joinRequests',
  VideoStream: 'videoStreams',
  Room: 'rooms',
};
/** Types of values inside these records, with the records and the value. */
const VALUES: { readonly [typeName: string]: readonly [typeName: string, field: string] } = {
  PostData: ['Post', 'data'],
  StoryData: ['Story', 'data'],
};

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const used = (): never => {
  throw new Error('The resolver uses its context.');
};
const unusable = new Proxy(() => undefined, { get: used, apply: used, has: used, ownKeys: used });
/**
 * Its loaders, and everything else in it, cannot be used, except for the address of the gateway and the records that the
 * viewer of a repeated mutation no longer sees, whose relations are empty.
 */
const context = new Proxy({} as object, {
  get(_, name) {
    if (name === 'publicUrl') return 'https://gateway.test';
    if (name === 'load') return new Proxy({}, { get: () => unusable });
    return name === 'unseen' ? undefined : unusable;
  },
});

const fields = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ extensions }) => dependsOnRecord(extensions) !== false)
      .map((field): [string, string, GraphQLField<unknown, unknown>] => [type.name, field.name, field]),
  );

test('some fields are declared to depend on their record alone', () => {
  expect(fields.length).toBeGreaterThan(40);
});

test.each(fields)('%s.%s reads nothing but its record', async (typeName, name, { resolve, extensions }) => {
  const depends = dependsOnRecord(extensions);
  let resolved = 0;
  for (const record of await recordsOf(typeName)) {
    if (typeof depends === 'function' && !depends(record as never)) continue;
    const value = await resolve!(record, {}, context, {} as GraphQLResolveInfo);
    resolved += 1;
    if (typeof depends === 'function') expect([null, false, []]).toContainEqual(value);
  }
  expect(resolved, `no record for ${typeName}.${name}`).toBeGreaterThan(0);
});

async function recordsOf(typeName: string): Promise<object[]> {
  const [owner, field] = VALUES[typeName] ?? [typeName, null];
  const collections = gateway.services.store.collections as unknown as { [name: string]: Collection };
  const collection = collections[COLLECTIONS[owner] ?? ''];
  if (!collection) return [{}];
  const records = (await collection.find().toArray()) as Document[];
  return field === null ? records : records.map((record) => record[field] as object);
}
