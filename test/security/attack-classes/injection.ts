import { type AttackClass, overGraphqlTransports, same, socketIoTests, testsIn } from './attack-class.ts';

const restTests = testsIn('security/rest');
const pollTests = testsIn('security/polls');
const hostileInputTests = testsIn('security/hostile-input');

const NO_FILTER = 'Nothing that a client sends becomes part of a filter here: records are found by ids, as text.';
const NO_DATA = 'Takes no free-form data.';
const NO_PATH = 'No value of a client becomes part of a file path.';

/** Input that becomes a query, code, a prototype or a file path. */
export const INJECTION: readonly AttackClass[] = [
  {
    number: 1,
    name: 'Operator objects in place of text',
    advisories: ['CVE-2021-22911', 'CVE-2021-22910', 'CVE-2026-45689', 'GHSA-vgjh-hmwf-c588'],
    cells: {
      ...overGraphqlTransports('operator objects in place of text', 'operator objects in place of a filter value'),
      rest: hostileInputTests('operator objects reach no query'),
      polls: pollTests('rejects %.40s and names the parameter'),
      webhooks: hostileInputTests('no query argument of the schema accepts arbitrary JSON'),
      files: 'Form fields and ids in paths are text: they cannot express an object.',
      mqtt: testsIn('security/mqtt-packets')(
        'topics reach no query as anything but text, and wildcards match no record',
      ),
      'socket.io': socketIoTests('answers an error for records that the user does not see, and for unknown calls'),
    },
  },
  {
    number: 2,
    name: 'Operators and dotted keys inside free-form data',
    advisories: ['CVE-2022-35246'],
    cells: {
      ...overGraphqlTransports('stores operators and dotted keys in free-form data unchanged'),
      rest: restTests('stores operators and dotted keys in free-form data unchanged'),
      ...same(NO_DATA, 'polls', 'webhooks', 'files'),
      mqtt: 'Takes topics as text, and no other data.',
      'socket.io': 'Takes ids as text, and no other data.',
    },
  },
  {
    number: 3,
    name: 'Code that runs in the database',
    advisories: ['CVE-2021-22910'],
    cells: {
      ...overGraphqlTransports('treats patterns in searches as text'),
      rest: restTests('treats patterns in searches as text, and runs no code in the database'),
      ...same(NO_FILTER, 'polls', 'webhooks', 'files'),
      mqtt: testsIn('security/mqtt-packets')(
        'topics reach no query as anything but text, and wildcards match no record',
      ),
      'socket.io': 'Reads records by their ids; takes no patterns.',
    },
  },
  {
    number: 4,
    name: 'Regular expressions that take exponential time',
    advisories: ['GHSA-mf3j-86qx-cq5j', 'GHSA-9cp7-3q5w-j92g'],
    cells: {
      ...overGraphqlTransports('treats patterns in searches as text'),
      rest: restTests('treats patterns in searches as text, and runs no code in the database'),
      polls: pollTests('ignores debugging parameters and treats patterns in topics as text'),
      ...same(NO_FILTER, 'webhooks', 'files'),
      mqtt: testsIn('security/mqtt-packets')(
        'topics reach no query as anything but text, and wildcards match no record',
      ),
      'socket.io': 'Reads records by their ids; takes no patterns.',
    },
  },
  {
    number: 5,
    name: 'Guessing hidden fields by sorting or filtering',
    advisories: ['GHSA-35jj-vqcf-f2jf', 'CVE-2022-36079', 'GHSA-rjg2-95x7-8qmx'],
    cells: {
      ...overGraphqlTransports('sorting by a field that is not listed', 'filtering by a field that is not listed'),
      rest: restTests('rejects sorting and filtering by fields that are not documented'),
      polls: 'Neither sorts nor filters by fields.',
      webhooks: 'The only filter of deliveries is an enum of states, checked by the schema.',
      files: 'Lists of files neither sort nor filter by fields.',
      mqtt: 'Neither sorts nor filters by fields.',
      'socket.io': 'Neither sorts nor filters by fields.',
    },
  },
  {
    number: 26,
    name: 'Prototype pollution',
    advisories: ['GHSA-93vw-8fm5-p2jf', 'GHSA-prm5-8g2m-24gg', 'GHSA-5j86-7r7m-p8h6'],
    cells: {
      ...overGraphqlTransports(
        'treats the names of inherited object members as ordinary ids',
        'rejects free-form data %s',
      ),
      rest: [
        ...hostileInputTests('names of inherited object members'),
        ...testsIn('security/hostile-writes-chat')('rejects keys that could reach a prototype over GraphQL and REST'),
      ],
      polls: pollTests('ignores debugging parameters and treats patterns in topics as text'),
      ...same(NO_DATA, 'webhooks', 'files'),
      mqtt: testsIn('security/mqtt-packets')(
        'topics reach no query as anything but text, and wildcards match no record',
      ),
      'socket.io': socketIoTests('answers an error for records that the user does not see, and for unknown calls'),
    },
  },
  {
    number: 28,
    name: 'Paths built from names of files',
    advisories: ['GHSA-393c-p46r-7c95', 'GHSA-hm3f-q6rw-m6wh'],
    cells: {
      ...same(NO_PATH, 'graphql', 'sse', 'websocket', 'rest', 'polls', 'webhooks'),
      files: testsIn('docs/pages')(
        'files of the sample network are served with their type, and no other path is served',
      ),
      mqtt: 'No value of a client becomes part of a file path.',
      'socket.io': 'No value of a client becomes part of a file path.',
    },
  },
];
