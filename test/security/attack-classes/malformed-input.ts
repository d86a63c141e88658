import { type AttackClass, overGraphqlTransports, same, socketIoTests, testsIn } from './attack-class.ts';

const pollTests = testsIn('security/polls');
const hostileInputTests = testsIn('security/hostile-input');
const websocketTests = testsIn('realtime/attacks');
const pageTokenTests = testsIn('conformance/page-tokens');

/** Frames, bodies, cursors and tokens that no client sends. */
export const MALFORMED_INPUT: readonly AttackClass[] = [
  {
    number: 22,
    name: 'Crashes by malformed frames or bodies',
    advisories: ['GHSA-cm8h-q92v-xcfc', 'GHSA-273r-rm8g-7f3x', 'GHSA-hmgw-9jrg-hf2m'],
    cells: {
      ...same(hostileInputTests('%s rejects them and keeps serving'), 'graphql', 'sse', 'rest'),
      websocket: websocketTests('random frames close at most their own socket and delay no other client'),
      polls: pollTests('rejects the crafted %s'),
      webhooks: testsIn('webhooks/send')('treats an upgrade to another protocol as an answer with status 101'),
      files: testsIn('conformance/uploads')('stores nothing of a rejected upload'),
      mqtt: testsIn('security/mqtt-packets')('random bytes close at most their own connection', 'that send %s'),
      'socket.io': socketIoTests('that send %j'),
    },
  },
  {
    number: 33,
    name: 'Cursors and tokens that are crafted, foreign or too long',
    cells: {
      ...overGraphqlTransports('the crafted cursor'),
      rest: pageTokenTests(
        'are rejected when they belong to another list or the previous version, or are crafted',
        'rejects a parameter that contradicts the page token and names it',
      ),
      polls: pollTests('rejects the crafted %s'),
      webhooks: pollTests('rejects crafted cursors of webhook pulls'),
      files: 'Files are read by id and range; the list of one’s own files is a GraphQL connection.',
      mqtt: 'Takes no cursors.',
      'socket.io': 'Takes no cursors.',
    },
  },
];
