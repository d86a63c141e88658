import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { namesOf } from '../../src/events/catalogue.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';
import { CONTENT_ROWS } from './rows/content.ts';
import { newPost } from './rows/made.ts';
import type { World } from './rows/row.ts';
import { neverCaused, runRow } from './run-row.ts';
import { toldAsDocumented } from './told-as-documented.ts';

const KINDS = [
  'post',
  'postReaction',
  'comment',
  'commentReaction',
  'story',
  'storyReaction',
  'messageReaction',
  'poll',
  'videoStream',
  'room',
  'role',
  'category',
] as const;

let gateway: TestGateway;
let world: World;
beforeAll(async () => {
  // That the log takes nothing is said on purpose.
  gateway = await startTestGateway({ LOG_LEVEL: 'fatal' });
  world = { gateway, make: mutations(gateway) };
});
afterAll(() => gateway.close());

describe('operations of content append exactly what they did', () => {
  test.each(CONTENT_ROWS.map((row) => [`${row.operation}: ${row.situation}`, row] as const))('%s', (_, row) =>
    runRow(gateway, row),
  );

  test('and nothing else than the table of causes says', () => {
    expect(neverCaused(CONTENT_ROWS)).toEqual([]);
  });

  test('and so cause every event of content that the catalogue names', async () => {
    const events = await gateway.services.store.collections.events.find({}).toArray();
    const caused = new Set(events.map(({ type }) => type));
    expect(KINDS.flatMap(namesOf).filter((name) => !caused.has(name))).toEqual([]);
  });

  test('each of which is told as the documents of the interface say', async () => {
    expect(await toldAsDocumented(gateway, KINDS.flatMap(namesOf))).toEqual([]);
  });
});

/** What is told of one record, in order. */
async function toldOf(path: string): Promise<string[]> {
  const events = await gateway.services.store.collections.events.find({}).sort({ _id: 1 }).toArray();
  return events.filter((event) => event.path === path).map(({ type }) => type);
}

test('a write that is sent twice under one name is told of once', async () => {
  const data = { text: 'A row' };
  const input = { clientMutationId: 'events-once', targetType: 'COMMUNITY', targetId: 'gardeners', data };
  const first = await world.make('bob', 'createPost', input, 'post { postId path }');
  const second = await world.make('bob', 'createPost', input, 'post { postId path }');
  expect(second).toEqual(first);
  expect(await toldOf(first.post.path)).toEqual(['post.created']);
});

test('of those who do the same at once, each who changed something is told of, and nobody else', async () => {
  const { postId, path } = await newPost(world);
  const users = ['alice', 'bob', 'carol', 'heidi'];
  await Promise.all(
    users.flatMap((userId) => {
      const flag = () => world.make(userId, 'flagPost', { postId }, 'clientMutationId');
      const reaction = { referenceType: 'POST', referenceId: postId, reactionName: 'like' };
      const react = () => world.make(userId, 'addReaction', reaction, 'clientMutationId');
      return [flag(), flag(), react(), react()];
    }),
  );
  const told = await toldOf(path);
  expect(told.filter((type) => type === 'post.flagged')).toHaveLength(users.length);
  expect(told.filter((type) => type === 'post.addReaction')).toHaveLength(users.length);
  expect(told).toHaveLength(1 + 2 * users.length);
});

describe('an upload', () => {
  const upload = async (files: Array<[name: string, content: Uint8Array]>) => {
    const form = new FormData();
    for (const [name, content] of files) form.append('files', new Blob([content as never]), name);
    const headers = { authorization: `Bearer ${await gateway.tokenOf('alice')}` };
    return fetch(`${gateway.url}/api/v4/images`, { method: 'POST', body: form, headers });
  };
  const appended = () =>
    gateway.services.store.collections.events.find({ networkId: 'default', type: 'file.created' }).toArray();

  test('is told of file by file', async () => {
    const answer = await upload([
      ['one.png', PNG],
      ['two.png', PNG],
    ]);
    const files = (await answer.json()) as Array<{ fileId: string }>;
    expect((await appended()).map(({ path, data, actorId }) => ({ path, data, actorId }))).toEqual(
      files.map(({ fileId }) => ({ path: `default/file/${fileId}`, data: { fileId }, actorId: 'alice' })),
    );
  });

  test('that fails is not told of, and one that cannot be told of leaves no record', async () => {
    const { events, files } = gateway.services.store.collections;
    const before = [await appended(), await files.countDocuments({ networkId: 'default' })];
    expect((await upload([['text.png', Buffer.from('no picture')]])).status).toBe(415);
    const logger = vi.spyOn(events, 'insertMany').mockRejectedValue(new Error('The log takes nothing.'));
    try {
      expect((await upload([['one.png', PNG]])).status).toBe(500);
    } finally {
      logger.mockRestore();
    }
    expect([await appended(), await files.countDocuments({ networkId: 'default' })]).toEqual(before);
  });
});
