import { type AttackClass, NO_WRITE, SAME_OPERATIONS, same, testsIn } from './attack-class.ts';

const restTests = testsIn('security/rest');

/** Writes that damage records of others or contradict each other. */
export const WRITES: readonly AttackClass[] = [
  {
    number: 31,
    name: 'Races',
    advisories: ['GHSA-w73w-g5xw-rwhf'],
    cells: {
      graphql: testsIn('concurrency/social')('counts concurrent flags and reactions on one comment once per user'),
      ...same(SAME_OPERATIONS, 'sse', 'websocket'),
      rest: testsIn('conformance/flag-message')('100 concurrent flags, some repeated, count each user once'),
      polls: NO_WRITE,
      webhooks: testsIn('webhooks/leases')('sends each delivery once from several processes'),
      files: 'An upload creates a record of its own under a random id: two share nothing.',
      mqtt: testsIn('realtime/mqtt')(
        'again with the same client identifier ends the previous connection, but not that of another user',
      ),
      'socket.io': NO_WRITE,
    },
  },
  {
    number: 35,
    name: 'A ban that deletes what others own',
    advisories: ['GHSA-wr2m-38xh-rpc9'],
    cells: {
      ...same(restTests('leaves all posts, comments and files unchanged after a ban'), 'graphql', 'rest', 'files'),
      ...same(SAME_OPERATIONS, 'sse', 'websocket'),
      ...same(NO_WRITE, 'polls'),
      webhooks: 'Endpoints belong to the network, not to a user who could be banned.',
      mqtt: 'Delivers events only: clients change nothing.',
      'socket.io': NO_WRITE,
    },
  },
];
