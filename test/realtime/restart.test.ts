import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createHub, type Hub } from '../../src/events/hub.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitFor } from '../support/live.ts';
import { ask } from '../support/mutate.ts';

/** One of the hub, one for the last minute, which a young log does not have, and one for what was missed. */
const MAX_STREAMS = 3;

let gateway: TestGateway;
const hubs: Hub[] = [];
/** The events that the gateway has read. */
let readCount = 0;
beforeAll(async () => {
  gateway = await startTestGateway();
  gateway.services.events.subscribe({
    onEvent: () => {
      readCount += 1;
    },
    onLost: () => undefined,
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const hub of hubs.splice(0)) await hub.close();
});
afterAll(() => gateway.close());

const newestCursor = async (): Promise<string> => (await ask(gateway, '{ eventCursor }')).eventCursor;

/** Resolves when the gateway has read the events, so that its cursor is after them. */
async function emitAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const before = readCount;
    await emit(gateway, [postUpdated(path)]);
    await waitFor(() => readCount > before);
  }
}

/** The hub of a process that starts now. */
async function startHub(options: { bufferSize?: number } = {}) {
  const { db } = gateway.services.store;
  const watched = vi.spyOn(db, 'watch');
  const hub = createHub({ db, ...options });
  hubs.push(hub);
  hub.open();
  await hub.ready();
  // An idle database may not advance the position.
  await emitAll(['tick']);
  const subscribe = (after: string | null) => {
    const subscriber = { paths: [] as string[], lost: null as string | null };
    hub.subscribe({
      after,
      onEvent({ event }) {
        const path = event.path.replace('default/', '');
        if (path !== 'tick') subscriber.paths.push(path);
      },
      onLost: ({ errorName }) => {
        subscriber.lost = errorName;
      },
    });
    return subscriber;
  };
  return { hub, subscribe, streams: () => watched.mock.calls.length };
}

test('a new process reads what its subscribers missed once for all of them, and new ones get only live events', async () => {
  const after = await newestCursor();
  await emitAll(['0', '1', '2', '3', '4']);
  const { subscribe, streams } = await startHub();
  const resumed = Array.from({ length: 20 }, () => subscribe(after));
  const live = subscribe(null);
  await waitFor(() => resumed.every(({ paths }) => paths.includes('4')));
  await emitAll(['5']);
  await waitFor(() => [...resumed, live].every(({ paths }) => paths.includes('5')));
  for (const { paths } of resumed) expect(paths).toEqual(['0', '1', '2', '3', '4', '5']);
  expect(live.paths).toEqual(['5']);
  expect(streams()).toBeLessThanOrEqual(MAX_STREAMS);
});

test('subscribers at different positions share the events from the oldest one on', async () => {
  const positions: string[] = [];
  for (const path of ['a', 'b', 'c', 'd']) {
    positions.push(await newestCursor());
    await emitAll([path]);
  }
  const { subscribe, streams } = await startHub();
  const resumed = [...positions.toReversed(), ...positions].map(subscribe);
  await waitFor(() => resumed.every(({ paths }) => paths.includes('d')));
  const expected = ['abcd', 'bcd', 'cd', 'd'];
  expect(resumed.map(({ paths }) => paths.join(''))).toEqual([...expected.toReversed(), ...expected]);
  expect(streams()).toBeLessThanOrEqual(MAX_STREAMS);
});

test('a position that is not in the log does not affect others', async () => {
  const after = await newestCursor();
  await emitAll(['0', '1']);
  const { subscribe } = await startHub();
  // Older than the others, and accepted as a cursor.
  const second = Math.floor(Date.now() / 1_000) - 600;
  const broken = subscribe(`82${second.toString(16).toUpperCase()}00000001FF`);
  const resumed = Array.from({ length: 5 }, () => subscribe(after));
  const isServed = ({ paths }: { paths: readonly string[] }) => paths.includes('1');
  await waitFor(() => (broken.lost !== null || isServed(broken)) && resumed.every(isServed));
  // MongoDB reads a log that has dropped nothing from any time on; the embedded store rejects times before its log.
  if (!isServed(broken)) expect(broken.lost).toBe('CURSOR_EXPIRED');
  for (const { paths, lost } of resumed) expect({ paths, lost }).toEqual({ paths: ['0', '1'], lost: null });
});

test('subscribers get all missed events when these do not fit into memory', async () => {
  const after = await newestCursor();
  const missed = Array.from({ length: 12 }, (_, index) => `${index}`);
  await emitAll(missed);
  const { subscribe } = await startHub({ bufferSize: 4 });
  const resumed = Array.from({ length: 3 }, () => subscribe(after));
  await waitFor(() => resumed.every(({ paths }) => paths.includes('11')));
  await emitAll(['live']);
  await waitFor(() => resumed.every(({ paths }) => paths.includes('live')));
  for (const { paths } of resumed) expect(paths).toEqual([...missed, 'live']);
});

test('a forged cursor of one subscriber does not take an event from others', async () => {
  const after = await newestCursor();
  await emitAll(['before']);
  await emitAll(['event']);
  const event = await newestCursor();
  await emitAll(['behind']);
  const { subscribe } = await startHub();
  // Sorts before the event, but the embedded store reads after it: another log, and everything of that time was read.
  const forged = subscribe(`${event.slice(0, 26)}0000000002`);
  await waitFor(() => forged.lost !== null || forged.paths.includes('behind'));
  const resumed = subscribe(after);
  await waitFor(() => resumed.paths.includes('behind'));
  expect(resumed.paths).toEqual(['before', 'event', 'behind']);
});

test('a subscriber that arrives after the process was closed ends as UNAVAILABLE, at any position', async () => {
  const after = await newestCursor();
  const { hub, subscribe } = await startHub();
  await hub.close();
  const late = [subscribe(after), subscribe(null)];
  await waitFor(() => late.every(({ lost }) => lost !== null));
  expect(late.map(({ lost }) => lost)).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
});
