import { type AttackClass, NO_DOCUMENT, overGraphqlTransports, same, socketIoTests, testsIn } from './attack-class.ts';

const graphqlTests = testsIn('security/graphql-transports');
const restTests = testsIn('security/rest');
const pollTests = testsIn('security/polls');
const hostileInputTests = testsIn('security/hostile-input');
const readBudgetTests = testsIn('security/read-budget');
const eventSizeTests = testsIn('realtime/event-bytes');
const websocketTests = testsIn('realtime/attacks');
const slowReaderTests = testsIn('failure/slow-readers');
const CLIENT_ADDRESS_TESTS = testsIn('security/connections-per-address')(
  'counts the requests and WebSockets of its clients, not its own connections',
);

const ONE_CALL = 'One request is one call.';

/** Requests that cost the server more than the limits allow. */
export const EXHAUSTION: readonly AttackClass[] = [
  {
    number: 14,
    name: 'Amplification by aliases',
    advisories: ['GHSA-ph52-67fq-75wj', 'GHSA-6q22-g298-grjh'],
    cells: {
      ...overGraphqlTransports('a field under thousands of aliases'),
      ...same(NO_DOCUMENT, 'rest', 'polls', 'files'),
      webhooks: graphqlTests('a webhook selection that is too large'),
      mqtt: 'Runs documents of the gateway only; clients send none.',
      'socket.io': NO_DOCUMENT,
    },
  },
  {
    number: 15,
    name: 'Documents that are deep, circular or fan out, and limits that are exponential themselves',
    advisories: ['GHSA-cmj3-wx7h-ffvg', 'GHSA-mfj6-6p54-m98c', 'GHSA-9fjp-q3c4-6w3j'],
    cells: {
      ...overGraphqlTransports('fragments that fan out 2^30 times', 'records nested 40 levels deep'),
      ...same(NO_DOCUMENT, 'rest', 'polls', 'files'),
      webhooks: graphqlTests('a webhook selection that is too deep'),
      mqtt: 'Runs documents of the gateway only; clients send none.',
      'socket.io': NO_DOCUMENT,
    },
  },
  {
    number: 16,
    name: 'JSON that is nested too deeply',
    advisories: ['GHSA-9xp9-j92r-p88v'],
    cells: {
      ...overGraphqlTransports(
        'free-form data nested beyond the limit of JSON bodies',
        'nested beyond the limit of free-form data',
      ),
      rest: restTests('rejects free-form data nested beyond the limit'),
      polls: pollTests('rejects %.40s and names the parameter'),
      ...same('Takes no JSON from clients.', 'webhooks', 'files'),
      mqtt: 'Takes no JSON from clients.',
      'socket.io': socketIoTests('that send JSON nested too deeply, or with too many values'),
    },
  },
  {
    number: 17,
    name: 'Batches that evade limits',
    advisories: ['GHSA-775h-3xrc-c228'],
    cells: {
      graphql: hostileInputTests('batches'),
      sse: graphqlTests('rejects an array of operations sent as an event stream'),
      websocket: websocketTests('rejects an array of operations'),
      ...same(ONE_CALL, 'rest', 'polls', 'webhooks', 'files'),
      mqtt: testsIn('security/mqtt-packets')(
        'that flood the gateway with packets or with topics that are refused, while others are served',
      ),
      'socket.io': 'One packet is one call.',
    },
  },
  {
    number: 18,
    name: 'Rate limits evaded by X-Forwarded-For',
    advisories: ['GHSA-vm5r-c87r-pf6x'],
    cells: {
      ...same(CLIENT_ADDRESS_TESTS, 'graphql', 'sse', 'rest', 'polls', 'files'),
      websocket: testsIn('realtime/connections')(
        'operations over a socket count towards the request limit of its address',
      ),
      webhooks: 'Deliveries go out; the addresses of receivers are not limited by a header.',
      mqtt: testsIn('realtime/mqtt-limits')('counts SUBSCRIBE towards the request limit of the address'),
      'socket.io': socketIoTests('counts calls towards the request limit of the address'),
    },
  },
  {
    number: 23,
    name: 'Floods, slow readers and slow writers',
    cells: {
      graphql: [
        ...slowReaderTests('of GraphQL answers requested one behind the other'),
        ...testsIn('failure/slow-writers')('a body that arrives a byte at a time is refused with 408'),
      ],
      sse: testsIn('realtime/streams')('ends the stream of a slow reader with an error, and continues others'),
      websocket: testsIn('realtime/message-floods')(
        'closes a socket that sends 10,000 subscribe messages together, and serves others meanwhile',
      ),
      rest: slowReaderTests('of REST answers requested one behind the other'),
      polls: testsIn('realtime/long-poll')(
        'a poll that cannot be answered fails after its wait and the database timeout',
      ),
      webhooks: testsIn('webhooks/isolation')('delivers to nine receivers without delay while a tenth never answers'),
      files: slowReaderTests('of a file'),
      mqtt: [
        ...testsIn('security/mqtt-packets')(
          'that flood the gateway with packets or with topics that are refused, while others are served',
          'that send no CONNECT in time, and those without the sub-protocol',
        ),
        ...testsIn('realtime/mqtt-limits')(
          'disconnects a client that reads nothing, and delivers to others in time',
          'limits the connections of a user, and accepts another after one is closed',
        ),
      ],
      'socket.io': socketIoTests(
        'that flood the gateway',
        'that send nothing, not even pings',
        'beyond the limit of the user',
      ),
    },
  },
  {
    number: 32,
    name: 'Queries without an index',
    advisories: ['GHSA-g4cf-xj29-wqqr'],
    cells: {
      graphql: testsIn('scaling/queries')('no query reads a collection without an index'),
      ...same('Sends the same queries as GraphQL over HTTP.', 'sse', 'websocket', 'polls', 'webhooks', 'files'),
      rest: testsIn('conformance/every-route')('stays within its budget of database commands'),
      mqtt: 'Checks topics with the same queries as GraphQL over HTTP.',
      'socket.io': 'Sends the same queries as the REST interface.',
    },
  },
  {
    number: 37,
    name: 'Pages, ids and aliases that read many long records',
    cells: {
      graphql: readBudgetTests(
        'rejects pages of long records that together exceed the bytes a request may read',
        'counts long records that a page skips',
        'rejects long records loaded by their ids beyond the bytes a request may read',
        'rejects a request that selects too many of them, from several records or from one',
      ),
      ...same('Runs the same operations within the same budget as GraphQL over HTTP.', 'sse', 'websocket'),
      rest: readBudgetTests(
        'answers 413 to a REST list beyond the bytes a request may read',
        'answers 413 to a REST list that contains too many of them',
      ),
      polls: eventSizeTests(
        'passes over an event beyond the limit when polled for the newest, and answers 413 after a cursor',
      ),
      webhooks: eventSizeTests(
        'fails the delivery of a webhook whose body exceeds the limit without a retry, and not its endpoint',
      ),
      files: 'One request reads one file, as a stream.',
      mqtt: 'Renders events within the budget of an event; a SUBSCRIBE reads the records of at most 500 topics.',
      'socket.io': 'Reads one record by its id for each call.',
    },
  },
];
