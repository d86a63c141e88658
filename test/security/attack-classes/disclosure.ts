import { type AttackClass, NO_DOCUMENT, overGraphqlTransports, same, testsIn } from './attack-class.ts';

const restTests = testsIn('security/rest');
const pollTests = testsIn('security/polls');
const productionTests = testsIn('security/production');
const websocketTests = testsIn('realtime/attacks');
const endpointTests = testsIn('webhooks/endpoints');

const LOGGED_ALIKE = 'Shares the one logger, which writes neither headers nor payloads.';

/** Information about the schema, the secrets or the failures of the gateway. */
export const DISCLOSURE: readonly AttackClass[] = [
  {
    number: 19,
    name: 'Introspection by another way',
    advisories: ['GHSA-gxxq-pghq-9vrc', 'GHSA-6m77-f8xr-f723'],
    cells: {
      graphql: productionTests(
        'rejects introspection over POST and GET',
        'suggests no schema names for misspelled fields',
        'suggests no schema names for invalid variables',
      ),
      ...same(websocketTests('in production'), 'sse', 'websocket'),
      ...same(NO_DOCUMENT, 'rest', 'polls', 'files'),
      webhooks: endpointTests('rejects a selection that is %s when it is saved'),
      mqtt: 'Runs documents of the gateway only; clients send none.',
      'socket.io': NO_DOCUMENT,
    },
  },
  {
    number: 25,
    name: 'Secrets and tokens in logs',
    advisories: ['GHSA-f24x-rm6g-3w5v'],
    cells: {
      ...same(LOGGED_ALIKE, 'graphql', 'sse', 'websocket', 'rest', 'polls', 'files'),
      webhooks: testsIn('webhooks/secrets')(
        'keeps secrets, tokens and URLs of endpoints out of logs at any level and of later answers',
      ),
      mqtt: 'Shares the one logger, which writes neither headers nor payloads.',
      'socket.io': 'Shares the one logger, which writes neither headers nor payloads.',
    },
  },
  {
    number: 30,
    name: 'Details of failures',
    cells: {
      ...overGraphqlTransports('rejects %s'),
      rest: testsIn('failure/read-only')('masks errors that the database did not cause'),
      polls: pollTests('rejects the crafted %s'),
      webhooks: testsIn('webhooks/send')('describes a failed call without an address'),
      files: testsIn('conformance/file-storage-errors')('answers an upload that cannot be stored, and keeps serving'),
      mqtt: 'Answers are the numeric codes of MQTT 3.1.1, without a text.',
      'socket.io': 'Masks errors as the REST interface does, by the same code.',
    },
  },
  {
    number: 36,
    name: 'Parameters for debugging',
    advisories: ['GHSA-xqp8-w826-hh6x'],
    cells: {
      ...overGraphqlTransports('the argument explain'),
      rest: restTests('ignores debugging parameters'),
      polls: pollTests('ignores debugging parameters and treats patterns in topics as text'),
      ...same('Takes no parameters beyond those of the schema.', 'webhooks', 'files'),
      mqtt: 'Takes no parameters beyond those of the protocol.',
      'socket.io': 'Takes no parameters beyond ids of records.',
    },
  },
];
