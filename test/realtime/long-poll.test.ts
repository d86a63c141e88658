import { expect, test } from 'vitest';
import { answerNext } from '../../rest-compat/realtime/long-poll.ts';
import type { Poll } from '../../rest-compat/realtime/poll.ts';
import { OperationError } from '../../src/errors.ts';

/** A poll whose log is never read to its end. */
function pollInVain() {
  const done: string[] = [];
  let end: Parameters<Poll['onEnd']>[0] = () => undefined;
  const poll = {
    services: { config: { DATABASE_TIMEOUT_MS: 60 }, events: { position: '82FF' } },
    realtime: {
      fanOut: {
        listen(_program: unknown, listener: { onUpToDate(): void }) {
          setTimeout(() => listener.onUpToDate(), 5);
          return { isUpToDate: false, close: () => done.push('closed') };
        },
      },
    },
    program: {},
    session: {},
    onEnd(listener: typeof end) {
      end = listener;
      return () => done.push('forgotten');
    },
    leave: () => done.push('left'),
  } as unknown as Poll;
  return { poll, done, end: (reason: OperationError) => end(reason) };
}

test('a poll that cannot be answered ends a while after it was to', async () => {
  const { poll, done } = pollInVain();
  const begun = performance.now();
  await expect(answerNext(poll, { after: '82AA', waitMs: 100 })).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  expect(performance.now() - begun).toBeGreaterThan(150);
  expect(done).toEqual(['closed', 'forgotten', 'left']);
});

test('a poll ends with whoever asked, once', async () => {
  const { poll, done, end } = pollInVain();
  const answer = answerNext(poll, { after: '82AA', waitMs: 60_000 });
  end(new OperationError('UNAVAILABLE'));
  end(new OperationError('UNAUTHORIZED'));
  await expect(answer).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  expect(done).toEqual(['closed', 'forgotten', 'left']);
});
