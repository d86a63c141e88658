import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Started, start } from '../../src/process/start.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import { type CollectionName, INDEXES } from '../../src/store/collections.ts';
import { MIGRATIONS } from '../../src/store/migrations/list.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { freshDatabaseName } from '../support/store.ts';
import { type Answer, requestAll, signIn } from './answers.ts';
import { moveWrittenData } from './move-written-data.ts';
import { readWrittenAnswers, unpackWrittenFolder } from './written-folder.ts';

const sample = createSampleContext({ networkId: 'default', now: new Date(0) });

/** Values that differ from those of the first release. */
const CHANGED = [
  // The date of a pin target becomes that of its newest pin.
  {
    before: '"lastPinsUpdatedAt":"2026-11-21T13:41:27.124Z"',
    after: '"lastPinsUpdatedAt":"2026-11-21T13:41:27.127Z"',
  },
  // A default message feed has the internal id of its channel.
  ...['gardeners-chat', 'alice-and-bob'].map((channelId) => ({
    before: sample.hex('messageFeed', `${channelId}/default`),
    after: sample.hex('channel', channelId),
  })),
  // The last segment of the default feed; before, the number of live messages in all feeds.
  { before: '"messageCount":7', after: '"messageCount":6' },
  // Markers have the internal id of their user.
  { before: '"userMarkers":[{"userId":"alice"', after: `"userMarkers":[{"userId":"${sample.hex('user', 'alice')}"` },
];

/** Requests that the first release refused: it listed the message feeds of a channel by its internal id only. */
const REFUSED = ['/api/v5/message-feeds/channel/gardeners-chat'];

let folder: string;
let gateway: Started;
let answers: Answer[];

beforeAll(async () => {
  folder = await unpackWrittenFolder();
  answers = await readWrittenAnswers();

  const { MONGODB_URI } = process.env;
  const databaseName = MONGODB_URI && freshDatabaseName();
  if (MONGODB_URI && databaseName) await moveWrittenData(folder, { uri: MONGODB_URI, databaseName });
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    PUBLIC_URL: 'http://files.test',
    ...(MONGODB_URI && { MONGODB_URI }),
  });
  gateway = await start(config, { ...(databaseName && { databaseName }), embedded: { refuseUnindexed: true } });
  await gateway.prepared;
});
afterAll(async () => {
  if (process.env.MONGODB_URI) await gateway.services.store.db.dropDatabase();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a data folder of the first release', () => {
  it('is migrated to the latest schema version', async () => {
    const { db } = gateway.services.store;
    const latest = MIGRATIONS.at(-1)?.version ?? 1;
    expect(await db.collection('migrations').findOne({ _id: 'schema' as never })).toMatchObject({ version: latest });
  });

  it('has the indexes of this release, and no other', async () => {
    const { collections } = gateway.services.store;
    for (const [name, indexes] of Object.entries(INDEXES)) {
      const found = await collections[name as CollectionName].indexes();
      const text = ({ key, unique }: { key: object; unique?: boolean }) => JSON.stringify([key, unique === true]);
      expect(found.map(text).sort(), name).toEqual([{ key: { _id: 1 } }, ...indexes].map(text).sort());
    }
  });

  it.runIf(!process.env.MONGODB_URI)(
    'is not readable by the first release, which would not write to the change log',
    async () => {
      const { format } = JSON.parse(await readFile(join(folder, 'store', 'format.json'), 'utf8')) as { format: number };
      expect(format).toBeGreaterThan(1);
    },
  );

  it('gives the answers of the first release, over REST and GraphQL', async () => {
    const now = await requestAll(gateway.url, gateway.keys);
    const recorded = CHANGED.reduce(
      (text, { before, after }) => text.replaceAll(before, after),
      JSON.stringify(answers),
    );
    // Since then, hashFlag contains the viewer only, page tokens and cursors contain their list, pinnedBy is an internal id,
    // and top-level comments have no parentId.
    const opaque = new Set(['next', 'previous', 'prev', 'cursor', 'startCursor', 'endCursor']);
    answers = JSON.parse(recorded, (key, value) => {
      if (key === 'hashFlag' || key === 'pinnedBy') return undefined;
      if (value?.commentId && value.parentId === null) delete value.parentId;
      return opaque.has(key) && typeof value === 'string' ? expect.any(String) : value;
    }) as Answer[];
    for (const [i, { as, asked, status, body }] of answers.entries()) {
      if (REFUSED.includes(asked)) {
        expect(now[i], `${as}: ${asked}`).toMatchObject({ as, asked, status: 200 });
        continue;
      }
      // Fields may have been added; none may be removed or changed.
      expect(now[i], `${as}: ${asked}`).toMatchObject({ as, asked, status, body });
    }
    expect(answers.length).toBe(now.length);
  });

  it('stores no URLs of files: they are derived from PUBLIC_URL', async () => {
    const { files } = gateway.services.store.collections;
    expect(await files.countDocuments({ networkId: 'default' })).toBeGreaterThan(10);
    expect((await files.find().toArray()).filter((file) => 'fileUrl' in file)).toEqual([]);
  });

  it('keeps its network: the sample is not inserted again', async () => {
    expect((await gateway.prepared).filled).toBe(false);
  });

  it('is indexed for search', async () => {
    const token = await signIn(gateway.url, gateway.keys, 'alice');
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `{ search(query: "garden") { communities(first: 5) { edges { node { communityId } } } }
          users(first: 5, keyword: "LIC") { edges { node { userId } } }
          networkChannels(first: 5, keyword: "arden") { edges { node { channelId } } } }`,
      }),
    });
    expect(await response.json()).toMatchObject({
      data: {
        search: { communities: { edges: [{ node: { communityId: 'gardeners' } }] } },
        users: { edges: [{ node: { userId: 'alice' } }] },
        networkChannels: { edges: [{ node: { channelId: 'gardeners-chat' } }] },
      },
    });
  });

  it('accepts writes, and its counters stay exact', async () => {
    const token = await signIn(gateway.url, gateway.keys, 'bob');
    const response = await fetch(`${gateway.url}/api/v3/posts/seedlings/flag`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'Others', detail: 'x' }),
    });
    expect(response.status).toBe(200);
    const { posts } = (await response.json()) as { posts: Array<{ flagCount: number }> };
    expect(posts[0]?.flagCount).toBe(2);
    expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
  });
});
