import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import type { Keys } from '../../src/process/keys.ts';
import type { MigrationState } from '../../src/store/migrations/lock.ts';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { createEndpoint } from '../support/create-endpoint.ts';
import { type LiveClient, type LiveSubscription, liveClient } from '../support/live.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';
import { freshDatabaseName } from '../support/store.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { signIn } from './answers.ts';
import { moveWrittenData } from './move-written-data.ts';
import { unpackWrittenFolder } from './written-folder.ts';

/** Processes start and migrate, possibly on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface Database {
  uri: string;
  name: string;
  close(): Promise<void>;
}

/** The data folder of the first release as a database that several processes share. */
async function openReleasedData(folder: string): Promise<Database> {
  const { MONGODB_URI } = process.env;
  if (!MONGODB_URI) {
    const { uri, close } = await startEmbeddedStore({ folder: join(folder, 'store') });
    return { uri, name: 'colloquy', close };
  }
  const name = freshDatabaseName();
  await moveWrittenData(folder, { uri: MONGODB_URI, databaseName: name });
  return { uri: MONGODB_URI, name, close: async () => undefined };
}

/**
 * This release is the older one, and a build of it with further migrations the newer: no earlier release knows
 * `compatibleFrom`.
 */
describe('a rolling upgrade on the data of the first release', () => {
  let folder: string;
  let database: Database;
  let client: MongoClient;
  let db: Db;
  let keys: Keys;
  let program: BuiltProgram;
  let receiver: Receiver;
  let older: SpawnedGateway;
  let newer: SpawnedGateway;
  let alice: string;
  const live: LiveClient[] = [];
  const running: SpawnedGateway[] = [];

  beforeAll(async () => {
    folder = await unpackWrittenFolder();
    keys = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'));
    database = await openReleasedData(folder);
    client = await MongoClient.connect(database.uri);
    db = client.db(database.name);
    program = await buildProgram({ main: 'test/upgrade/next-release.ts' });
    receiver = await startReceiver();
    older = await startRelease(0);
    alice = await signIn(older.url, keys, 'alice');
    const token = await signIn(older.url, keys, 'admin');
    await createEndpoint({ url: older.url, token, receiver, event: 'v3.comment.didCreate' });
  });
  afterAll(async () => {
    for (const one of live) await one.close();
    for (const one of running) await one.kill();
    await receiver?.close();
    await program?.remove();
    if (process.env.MONGODB_URI) await db?.dropDatabase();
    await client?.close();
    await database?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a process of the release with so many further migrations and waits until it is ready. */
  async function startRelease(migrations: number): Promise<SpawnedGateway> {
    const env = {
      ...keys,
      ADDED_MIGRATIONS: String(migrations),
      MONGODB_URI: database.uri.replace(/^(.*?:\/\/[^/?]+)\/?[^?]*/, `$1/${database.name}`),
      DATA_DIR: folder,
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      DATABASE_TIMEOUT_MS: '60000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    };
    const gateway = await spawnGateway({ file: join(program.folder, 'main.js'), env });
    running.push(gateway);
    return gateway;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  async function ask(gateway: SpawnedGateway, query: string): Promise<any> {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${alice}` },
      body: JSON.stringify({ query }),
    });
    const answer = (await response.json()) as { data: unknown; errors?: unknown };
    expect({ status: response.status, errors: answer.errors }).toEqual({ status: 200, errors: undefined });
    return answer.data;
  }

  const written: string[] = [];
  /** Creates a comment through one gateway. @returns its text */
  async function comment(gateway: SpawnedGateway): Promise<string> {
    const text = `Comment ${written.length}`;
    const { createComment } = await ask(
      gateway,
      `mutation { createComment(input: { referenceType: POST, referenceId: "seedlings", data: { text: "${text}" } }) {
        ... on CreateCommentPayload { comment { commentId } } ... on OperationError { code } } }`,
    );
    expect(createComment).toEqual({ comment: { commentId: expect.any(String) } });
    written.push(text);
    return text;
  }

  const commentsOf = async (gateway: SpawnedGateway): Promise<number> =>
    (await ask(gateway, '{ post(postId: "seedlings") { commentsCount } }')).post.commentsCount;

  async function listenTo(gateway: SpawnedGateway): Promise<LiveSubscription> {
    const opened = await liveClient({ url: gateway.url, tokenOf: async () => alice }, 'alice');
    live.push(opened);
    const subscription = opened.listen('subscription { commentCreated { comment { data } } }');
    // Subscribed once an event arrives.
    await expect
      .poll(async () => {
        await comment(gateway);
        return subscription.events.length;
      })
      .toBeGreaterThan(0);
    return subscription;
  }

  const texts = ({ events }: LiveSubscription): string[] => events.map((event) => event.comment.data.text);
  const state = (_id: MigrationState['_id']) => db.collection<MigrationState>('migrations').findOne({ _id });
  const gates = () => db.collection<{ _id: string; isReached?: boolean }>('rolloutGate');
  const isDone = (promise: Promise<unknown>) =>
    Promise.race([promise.then(() => true), new Promise((later) => setTimeout(() => later(false)))]);

  let version: number;
  let fromOlder: LiveSubscription;

  test('the older gateway serves while the newer one holds the lock of its migration', async () => {
    ({ version } = (await state('schema')) as { version: number });
    fromOlder = await listenTo(older);
    await gates().insertOne({ _id: 'gate' });
    const starting = startRelease(1);
    await expect.poll(async () => (await gates().findOne())?.isReached, { timeout: 120_000 }).toBe(true);
    expect(await state('schema')).toMatchObject({ version, compatibleFrom: version });
    const before = await commentsOf(older);
    await comment(older);
    expect(await commentsOf(older)).toBe(before + 1);
    expect(await isDone(starting)).toBe(false);

    // Writes through the older gateway alternate with batches that change the same records.
    await gates().deleteOne({ _id: 'gate' });
    while (!(await isDone(starting))) {
      await comment(older);
      await commentsOf(older);
    }
    newer = await starting;
    expect(await state('schema')).toMatchObject({ version: version + 1, compatibleFrom: version });
    expect(await db.collection('posts').countDocuments({ fieldOfNextRelease: { $exists: false } })).toBe(0);
  });

  test('both serve reads and writes, and each sees what was written through the other', async () => {
    for (const [writer, reader] of [
      [older, newer],
      [newer, older],
      [older, newer],
    ] as const) {
      const before = await commentsOf(reader);
      await Promise.all([comment(writer), comment(reader)]);
      expect([await commentsOf(writer), await commentsOf(reader)]).toEqual([before + 2, before + 2]);
    }
  });

  test('events reach subscribers of both once, and webhooks are sent once', async () => {
    const fromNewer = await listenTo(newer);
    const [one, other] = [await comment(older), await comment(newer)];
    for (const subscription of [fromOlder, fromNewer]) {
      await expect.poll(() => texts(subscription)).toEqual(expect.arrayContaining([one, other]));
    }
    expect(texts(fromOlder)).toEqual(written);
    const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
    await expect.poll(() => new Set(ids()).size, { timeout: 60_000 }).toBe(written.length);
    expect(ids().length).toBe(written.length);
  });

  test('the older gateway can be restarted, and then stops', async () => {
    await older.kill();
    older = await startRelease(0);
    await comment(older);
    expect(await commentsOf(newer)).toBe(await commentsOf(older));
    older.child.kill('SIGTERM');
    expect((await older.ended)[0]).toBe(0);
    await comment(newer);
    expect(await findInconsistencies(db)).toEqual([]);
  });

  test('a release with a migration of another form ends gateways of earlier releases, which do not start any more', async () => {
    const next = await startRelease(2);
    expect((await newer.ended)[0]).toBe(1);
    expect(newer.errors()).toContain(`The data has version ${version + 2}; this release supports versions up to`);
    await expect(startRelease(0)).rejects.toThrow(`The data has version ${version + 2}`);
    await comment(next);
    expect(await state('schema')).toMatchObject({ version: version + 2, compatibleFrom: version + 2 });
  });
});
