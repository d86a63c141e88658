import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { routeName } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { problemsOf } from '../support/interface.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';

let gateway: TestGateway;
let ids: Awaited<ReturnType<typeof readSampleIds>>;
beforeAll(async () => {
  gateway = await startTestGateway();
  ids = await readSampleIds(gateway);
});
afterAll(() => gateway.close());

/** The last message of a feed is not added to `messages`, the main array. */
const LAST_MESSAGE = ['messageFeeds>messages'];

/** References without a record in the answer, as `array>array`: `docs/interface.md#responses` lists them. */
const UNRESOLVED: { [route: string]: readonly string[] } = {
  'GET /api/v5/messages': LAST_MESSAGE,
  'GET /api/v5/messages/list': LAST_MESSAGE,
  'GET /api/v5/messages/:messageId': LAST_MESSAGE,
  'POST /api/v5/messages': LAST_MESSAGE,
  'PUT /api/v5/messages/:messageId': LAST_MESSAGE,
  'DELETE /api/v5/messages/:messageId': LAST_MESSAGE,
  'POST /api/v5/messages/:messageId/flags': LAST_MESSAGE,
  'DELETE /api/v5/messages/:messageId/flags': LAST_MESSAGE,
  // `users` contains only the users who read the message, not its author.
  'GET /api/v1/markers/messages/:messageId/read-users': ['messages>users'],
  'GET /api/v1/markers/messages/:messageId/delivered-users': ['messages>users'],
  // `users` contains the other user, not the viewer.
  'GET /api/v5/users/:userId/followInfo': ['follows>users'],
  'POST /api/v4/me/user-blocks/:userId': ['follows>users'],
  'DELETE /api/v4/me/user-blocks/:userId': ['follows>users'],
};

// Reads first, because the other routes change their results.
const closed = ROUTES.filter((route) => !route.open).sort(
  (a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'),
);

describe.each(closed.map((route) => [routeName(route), route] as const))('%s', (name, { method, arrays, path }) => {
  test('refers only to records in its side arrays and contains no placeholder timestamps', async () => {
    const { as = 'alice', path: called, body } = CALLS[name]!(ids);
    const answer = await gateway.rest(called, { as, method, body });
    expect(answer.status).toBeLessThan(500);
    if (answer.status !== 200) return;
    const data = answer.body.status === 'success' ? answer.body.data : answer.body;
    const present = arrays.filter(
      (array) => Array.isArray(data[array]) && array !== 'reactions' && array !== 'reactors',
    );
    const problems = problemsOf(data, {
      arrays: present,
      messages: path.startsWith('/api/v3') ? 'v3' : 'v5',
      unresolved: UNRESOLVED[name] ?? [],
    });
    expect(problems.filter((problem) => problem.includes(' refers to '))).toEqual([]);
    expect(answer.text).not.toContain('1970-01-01');
  });
});

test('markers of a user without history have no timestamps', async () => {
  const { body } = await gateway.rest('/api/v1/markers/userMarker', { as: 'newcomer' });
  expect(body.userMarkers).toMatchObject([{ unreadCount: 0, lastSyncAt: null, createdAt: null, updatedAt: null }]);
});
