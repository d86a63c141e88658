import {
  type AttackClass,
  NO_DOCUMENT,
  NO_WRITE,
  overGraphqlTransports,
  same,
  socketIoTests,
  testsIn,
} from './attack-class.ts';

const visitorTests = testsIn('security/visitors');
const restTests = testsIn('security/rest');
const websocketTests = testsIn('realtime/attacks');
const uploadTests = testsIn('conformance/uploads');
const endpointTests = testsIn('webhooks/endpoints');
const trustedTests = testsIn('graphql/trusted-documents');
const RIGHTS_TESTS = testsIn('realtime/rights')('delivers no further event over any transport after');
const SHARING_TESTS = testsIn('realtime/sharing')(
  'a shared rendering contains for each subscriber exactly what their own query returns',
);
const RECEIVER_TESTS = testsIn('realtime/receiver-memberships')(
  'each receiver gets their own membership, and isJoined with it',
);

const NO_EVENTS = 'Carries no events.';

/** Reads and writes beyond the permissions of the caller. */
export const AUTHORIZATION: readonly AttackClass[] = [
  {
    number: 6,
    name: 'A second transport without the checks of the first',
    advisories: ['GHSA-p2x3-8689-cwpg', 'GHSA-6qh5-m6g3-xhq6'],
    cells: {
      graphql: testsIn('graphql/http-audits')('GraphQL over HTTP'),
      ...same(
        websocketTests('queries and mutations have the same limits, and the same results as over HTTP'),
        'sse',
        'websocket',
      ),
      rest: testsIn('matrix/matrix')('each actor gets the outcome of the matrix over REST'),
      polls: RIGHTS_TESTS,
      webhooks: endpointTests('rejects a selection that is %s when it is saved'),
      files: uploadTests('accepts several files, a preferred name and network-only access'),
      mqtt: testsIn('realtime/mqtt')(
        'is accepted with an access token, and refused without one, with another, or for another user',
      ),
      'socket.io': socketIoTests(
        'answers whether the user flagged a post, a comment or a user, like the REST interface',
        'answers an error for records that the user does not see, and for unknown calls',
      ),
    },
  },
  {
    number: 7,
    name: 'Events that skip authorization',
    advisories: ['GHSA-7ch5-98q2-7289', 'GHSA-9jpp-xhh6-75mf'],
    cells: {
      graphql: NO_EVENTS,
      ...same(RIGHTS_TESTS, 'sse', 'websocket', 'rest', 'polls'),
      webhooks: testsIn('webhooks/delivering')('delivers the result of a selection as a subscriber would receive it'),
      files: NO_EVENTS,
      mqtt: [
        ...testsIn('realtime/mqtt')(
          'ends for a topic when the user loses access to its record, without a new SUBSCRIBE',
        ),
        ...testsIn('realtime/mqtt-rights')(
          'delivers no further event to a topic after',
          'refuses topics of records that the user',
        ),
      ],
      'socket.io': NO_EVENTS,
    },
  },
  {
    number: 8,
    name: 'Data of one subscriber in the event of another',
    advisories: ['GHSA-m983-v2ff-wq65'],
    cells: {
      graphql: NO_EVENTS,
      ...same(
        [
          ...SHARING_TESTS,
          ...testsIn('security/flag-filter')('an event contains for each subscriber the filter that they may see'),
        ],
        'sse',
        'websocket',
        'rest',
        'polls',
      ),
      webhooks: testsIn('webhooks/delivering')('delivers the result of a selection as a subscriber would receive it'),
      files: NO_EVENTS,
      mqtt: [
        ...RECEIVER_TESTS,
        ...testsIn('realtime/mqtt')(
          'renders an event once for all connections with equal rights, whatever their topics',
        ),
      ],
      'socket.io': NO_EVENTS,
    },
  },
  {
    number: 9,
    name: 'Flags that return what the caller cannot read',
    advisories: ['GHSA-r64r-5h43-26qv'],
    cells: {
      ...overGraphqlTransports('flagging a message that the caller cannot read'),
      rest: [
        ...testsIn('conformance/flag-message')('unreadable messages cannot be flagged and look absent'),
        ...testsIn('conformance/flag-post')('unreadable posts cannot be flagged and look absent'),
      ],
      ...same(NO_WRITE, 'polls'),
      ...same('Nothing here can be flagged.', 'webhooks', 'files'),
      mqtt: 'Delivers events only: clients change nothing.',
      'socket.io': NO_WRITE,
    },
  },
  {
    number: 10,
    name: 'Writes that reveal which ids exist',
    advisories: ['GHSA-jq29-r496-r955'],
    cells: {
      ...overGraphqlTransports(
        'marking a feed as read that the caller cannot see',
        'marking a feed as read that does not exist',
      ),
      rest: testsIn('conformance/markers')('hidden feeds look absent; only members have markers'),
      polls: NO_WRITE,
      webhooks: endpointTests('shows webhooks only to users who manage them'),
      files: uploadTests('creates ids of 128 random bits that cannot be derived from other ids of the file'),
      mqtt: testsIn('realtime/mqtt')(
        'is refused for topics of other users, records that the user does not see, other networks and unknown forms',
      ),
      'socket.io': NO_WRITE,
    },
  },
  {
    number: 11,
    name: 'Escalation: roles above one’s own, fields that only moderators set',
    advisories: ['GHSA-pmf4-v838-29hg', 'GHSA-gc7p-j5xm-xxh2', 'GHSA-5f92-jrq3-28rc'],
    cells: {
      ...overGraphqlTransports(
        'roles among the fields of a profile',
        'granting a role without the permission',
        'a mutation in the session of a visitor',
        'a mutation in the session of a bot',
      ),
      rest: [
        ...visitorTests('refuses each REST path that writes, with and without a key: %s'),
        ...restTests('ignores roles, bans and permissions in a profile update'),
        ...testsIn('conformance/community-roles')('requires the permission to assign roles and a sufficient rank'),
      ],
      polls: NO_WRITE,
      webhooks: endpointTests('shows webhooks only to users who manage them'),
      files: [
        ...testsIn('conformance/file-life')('a file is described by its owner and absent after its deletion'),
        ...visitorTests('refuses uploads: %s'),
      ],
      mqtt: 'Delivers events only: clients change nothing.',
      'socket.io': NO_WRITE,
    },
  },
  {
    number: 38,
    name: 'An allow list of documents that one transport does not apply',
    cells: {
      ...same(
        trustedTests(
          'refuses %s if only trusted documents are allowed',
          'does not learn documents if only trusted ones are allowed',
        ),
        'graphql',
        'sse',
        'websocket',
      ),
      ...same(NO_DOCUMENT, 'rest', 'polls', 'mqtt', 'socket.io'),
      files: trustedTests('uploads by a trusted mutation only'),
      webhooks: trustedTests('the selection of a webhook must be trusted if only trusted documents are allowed'),
    },
  },
];
