import { expect, test } from 'vitest';
import type { EventRequest } from '../../rest-compat/realtime/event-request.ts';
import { waitForNextEvent } from '../../rest-compat/realtime/long-poll.ts';
import { findNewestEvent } from '../../rest-compat/realtime/newest-event.ts';
import { OperationError } from '../../src/errors.ts';

/** A poll whose log is never read to its end. */
function pollInVain() {
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
      return () => done.push('forgotten');
    },
    release: () => done.push('left'),
  } as unknown as EventRequest;
  return { poll, done, end: (reason: OperationError) => end(reason) };
}

test('a poll that cannot be answered ends a while after it was to', async () => {
  const { poll, done } = pollInVain();
  const begun = performance.now();
  await expect(waitForNextEvent(poll, { after: '82AA', waitMs: 100 })).rejects.toMatchObject({
    errorName: 'UNAVAILABLE',
  });
  expect(performance.now() - begun).toBeGreaterThan(150);
  expect(done).toEqual(['closed', 'forgotten', 'left']);
});

test('a poll ends with whoever asked, once', async () => {
  const { poll, done, end } = pollInVain();
  const answer = waitForNextEvent(poll, { after: '82AA', waitMs: 60_000 });
  end(new OperationError('UNAVAILABLE'));
  end(new OperationError('UNAUTHORIZED'));
  await expect(answer).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  expect(done).toEqual(['closed', 'forgotten', 'left']);
});

/** Looks for the newest among events without end, of which none is for whoever asks. */
function lookInVain() {
  const looked = { count: 0 };
  const { poll, ...others } = pollInVain();
  const page = (size: number) =>
    Array.from({ length: size }, (_, n) => ({ eventId: String(n), path: 'default/x', createdAt: new Date() }));
  const find = () => ({ sort: () => ({ limit: (size: number) => ({ toArray: async () => page(size) }) }) });
  const look = async () => {
    looked.count += 1;
    await new Promise((later) => setTimeout(later, 2));
    return null;
  };
  const endless = {
    ...poll,
    services: { ...poll.services, store: { collections: { events: { find } } } },
    realtime: { fanOut: { renderFor: look } },
    spec: { types: new Set(['post.updated']), topic: null },
    session: { viewer: { networkId: 'default' } },
  } as unknown as EventRequest;
  return { poll: endless, looked, ...others };
}

test('that there is no newest event is not said before all have been looked at', async () => {
  const { poll, done, looked } = lookInVain();
  await expect(findNewestEvent(poll)).rejects.toMatchObject({ reason: 'slow' });
  expect(looked.count).toBeGreaterThan(20);
  expect(done).toEqual(['forgotten', 'left']);
});

test('who has gone is not looked for any more', async () => {
  const { poll, done, looked, end } = lookInVain();
  const answer = findNewestEvent(poll);
  end(new OperationError('UNAVAILABLE'));
  await expect(answer).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  expect(looked.count).toBeLessThan(20);
  expect(done).toEqual(['forgotten', 'left']);
});
