import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namesOf } from '../../src/events/catalogue.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';
import { PNG } from '../support/png.ts';
import { rejectInserts } from '../support/reject-inserts.ts';
import { CONTENT_CASES } from './cases/content.ts';
import { createPost } from './cases/content-fixtures.ts';
import type { CaseContext } from './cases/event-case.ts';
import { neverCaused, runCase } from './run-case.ts';
import { undeliveredWebhooks } from './undelivered-webhooks.ts';

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
let context: CaseContext;
beforeAll(async () => {
  // Each case makes one write to the event log fail, which would be logged as an error.
  gateway = await startTestGateway({ LOG_LEVEL: 'fatal' });
  context = { gateway, mutate: mutations(gateway) };
});
afterAll(() => gateway.close());

describe('operations on content append exactly the events of their change', () => {
  test.each(CONTENT_CASES.map((eventCase) => [`${eventCase.operation}: ${eventCase.situation}`, eventCase] as const))(
    '%s',
    (_, eventCase) => runCase(gateway, eventCase),
  );

  test('every mutation causes the events that it declares', () => {
    expect(neverCaused(CONTENT_CASES)).toEqual([]);
  });

  test('every content event of the catalogue is caused by one of them', async () => {
    const events = await gateway.services.store.collections.events.find({}).toArray();
    const caused = new Set(events.map(({ type }) => type));
    expect(KINDS.flatMap(namesOf).filter((name) => !caused.has(name))).toEqual([]);
  });

  test('each event matches the OpenAPI and AsyncAPI documents', async () => {
    expect(await undeliveredWebhooks(gateway, KINDS.flatMap(namesOf))).toEqual([]);
  });
});

/** The types of the events of one record, in order. */
async function eventTypesOf(path: string): Promise<string[]> {
  const events = await gateway.services.store.collections.events.find({}).sort({ _id: 1 }).toArray();
  return events.filter((event) => event.path === path).map(({ type }) => type);
}

test('a write repeated with the same clientMutationId appends its event once', async () => {
  const data = { text: 'An example' };
  const input = { clientMutationId: 'events-once', targetType: 'COMMUNITY', targetId: 'gardeners', data };
  const first = await context.mutate('bob', 'createPost', input, 'post { postId path }');
  const second = await context.mutate('bob', 'createPost', input, 'post { postId path }');
  expect(second).toEqual(first);
  expect(await eventTypesOf(first.post.path)).toEqual(['post.created']);
});

test('concurrent identical operations append one event per user whose call changed something', async () => {
  const { postId, path } = await createPost(context);
  const users = ['alice', 'bob', 'carol', 'heidi'];
  await Promise.all(
    users.flatMap((userId) => {
      const flag = () => context.mutate(userId, 'flagPost', { postId }, 'clientMutationId');
      const reaction = { referenceType: 'POST', referenceId: postId, reactionName: 'like' };
      const react = () => context.mutate(userId, 'addReaction', reaction, 'clientMutationId');
      return [flag(), flag(), react(), react()];
    }),
  );
  const types = await eventTypesOf(path);
  expect(types.filter((type) => type === 'post.flagged')).toHaveLength(users.length);
  expect(types.filter((type) => type === 'post.addReaction')).toHaveLength(users.length);
  expect(types).toHaveLength(1 + 2 * users.length);
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

  test('appends one event per file', async () => {
    const before = (await appended()).length;
    const answer = await upload([
      ['one.png', PNG],
      ['two.png', PNG],
    ]);
    const files = (await answer.json()) as Array<{ fileId: string }>;
    expect((await appended()).slice(before).map(({ path, data, actorId }) => ({ path, data, actorId }))).toEqual(
      files.map(({ fileId }) => ({ path: `default/file/${fileId}`, data: { fileId }, actorId: 'alice' })),
    );
  });

  test('appends nothing when it fails, and leaves no file record when its event cannot be appended', async () => {
    const { events, files } = gateway.services.store.collections;
    const before = [await appended(), await files.countDocuments({ networkId: 'default' })];
    expect((await upload([['text.png', Buffer.from('no picture')]])).status).toBe(415);
    const rejected = rejectInserts(events, 'The event log rejects the write.');
    try {
      expect((await upload([['one.png', PNG]])).status).toBe(500);
      expect(rejected.count).toBe(1);
    } finally {
      rejected.stop();
    }
    expect([await appended(), await files.countDocuments({ networkId: 'default' })]).toEqual(before);
  });
});
