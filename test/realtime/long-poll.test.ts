import { expect, test } from 'vitest';
import type { EventRequest } from '../../rest-compat/realtime/event-request.ts';
import { waitForNextEvent } from '../../rest-compat/realtime/long-poll.ts';
import { findNewestEvent } from '../../rest-compat/realtime/newest-event.ts';
import { OperationError } from '../../src/errors.ts';

/** A poll whose log is never read to its end. `done` records what it released. */
function unansweredPoll() {
  const done: string[] = [];
  let end: Parameters<EventRequest['onEnd']>[0] = () => undefined;
  const poll = {
    services: { config: { DATABASE_TIMEOUT_MS: 60 }, events: { position: '82FF', findRecent: () => null } },
    realtime: {
      fanOut: {
        subscribe(_spec: unknown, listener: { onCaughtUp(): void }) {
          setTimeout(() => listener.onCaughtUp(), 5);
          return { isCaughtUp: false, close: () => done.push('closed') };
        },
      },
    },
    spec: {},
    session: {},
    onEnd(listener: typeof end) {
      end = listener;
      return () => done.push('unregistered');
    },
    release: () => done.push('released'),
  } as unknown as EventRequest;
  return { poll, done, end: (reason: OperationError) => end(reason) };
}

test('a poll that cannot be answered fails after its wait and the database timeout', async () => {
  const { poll, done } = unansweredPoll();
  const startedAt = performance.now();
  await expect(waitForNextEvent(poll, { after: '82AA', waitMs: 100 })).rejects.toMatchObject({
    errorName: 'UNAVAILABLE',
  });
  expect(performance.now() - startedAt).toBeGreaterThan(150);
  expect(done).toEqual(['closed', 'unregistered', 'released']);
});

test('a poll ends once, with the first reason', async () => {
  const { poll, done, end } = unansweredPoll();
  const answer = waitForNextEvent(poll, { after: '82AA', waitMs: 60_000 });
  end(new OperationError('UNAVAILABLE'));
  end(new OperationError('UNAUTHORIZED'));
  await expect(answer).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  expect(done).toEqual(['closed', 'unregistered', 'released']);
});

/** A request for the newest event of an endless log in which no event is visible. */
function endlessSearch() {
  const rendered = { count: 0 };
  const { poll, ...others } = unansweredPoll();
  const page = (size: number) =>
    Array.from({ length: size }, (_, n) => ({ eventId: String(n), path: 'default/x', createdAt: new Date() }));
  const find = () => ({ sort: () => ({ limit: (size: number) => ({ toArray: async () => page(size) }) }) });
  const renderFor = async () => {
    rendered.count += 1;
    await new Promise((later) => setTimeout(later, 2));
    return null;
  };
  const endless = {
    ...poll,
    services: { ...poll.services, store: { collections: { events: { find } } } },
    realtime: { fanOut: { renderFor } },
    spec: { types: new Set(['post.updated']), topic: null },
    session: { viewer: { networkId: 'default' } },
  } as unknown as EventRequest;
  return { poll: endless, rendered, ...others };
}

test('the search for the newest event times out instead of reporting that there is none', async () => {
  const { poll, done, rendered } = endlessSearch();
  await expect(findNewestEvent(poll)).rejects.toMatchObject({ reason: 'slow' });
  expect(rendered.count).toBeGreaterThan(1);
  expect(done).toEqual(['unregistered', 'released']);
});

test('the search ends when the client disconnects', async () => {
  const { poll, done, rendered, end } = endlessSearch();
  const answer = findNewestEvent(poll);
  end(new OperationError('UNAVAILABLE'));
  await expect(answer).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  expect(rendered.count).toBeLessThan(20);
  expect(done).toEqual(['unregistered', 'released']);
});
