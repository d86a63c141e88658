import { type AttackClass, same, socketIoTests, testsIn } from './attack-class.ts';

const hostileInputTests = testsIn('security/hostile-input');
const productionTests = testsIn('security/production');
const originTests = testsIn('security/browser-origins');

const cookieTests = testsIn('security/session-cookies');

const NO_HTML = 'Answers JSON only, which browsers do not render.';
const NO_COOKIE = 'No cookies: the caller must add an Authorization header, which another site cannot.';
const NO_STORE = 'Answers are `private, no-store`: shared caches do not store them (RFC 9111, section 5.2.2).';
const NOT_A_SOCKET = 'Not a WebSocket.';

/** Attacks through the browser of a user, and through caches. */
export const BROWSERS: readonly AttackClass[] = [
  {
    number: 20,
    name: 'Requests forged by another site',
    advisories: ['GHSA-v66j-6wwf-jc57', 'GHSA-p6mr-xf3r-ghq4', 'GHSA-q3p6-g7c4-829c'],
    cells: {
      graphql: [
        ...hostileInputTests('rejects a mutation sent by GET'),
        ...originTests('sends no CORS headers to a page of another origin'),
        ...cookieTests('a request that another site causes'),
      ],
      ...same(
        [
          ...originTests('sends no CORS headers to a page of another origin'),
          ...cookieTests('a request that another site causes'),
        ],
        'sse',
        'rest',
        'polls',
      ),
      websocket: [
        ...testsIn('realtime/socket-codes')('rejects connections from pages of other origins'),
        ...cookieTests('does not authenticate by the cookie without an Origin, and is refused to other origins'),
      ],
      webhooks: NO_COOKIE,
      files: cookieTests('changes nothing in a form that needs no preflight, even from a page of this origin'),
      mqtt: testsIn('security/mqtt-packets')('a page of another origin cannot connect'),
      'socket.io': socketIoTests('a page of another origin cannot connect, and HTTP long polling is refused'),
    },
  },
  {
    number: 21,
    name: 'WebSockets opened by another site',
    advisories: ['CWE-1385'],
    cells: {
      ...same(NOT_A_SOCKET, 'graphql', 'sse', 'rest', 'polls', 'webhooks', 'files'),
      websocket: [
        ...testsIn('realtime/socket-codes')('rejects connections from pages of other origins'),
        ...cookieTests('does not authenticate by the cookie without an Origin, and is refused to other origins'),
      ],
      mqtt: testsIn('security/mqtt-packets')('a page of another origin cannot connect'),
      'socket.io': socketIoTests('a page of another origin cannot connect, and HTTP long polling is refused'),
    },
  },
  {
    number: 27,
    name: 'Stored scripts in uploads and pages',
    advisories: ['GHSA-hcj7-6gxh-24ww', 'GHSA-w8xh-93qh-35vw'],
    cells: {
      graphql: productionTests('does not serve GraphiQL'),
      ...same(NO_HTML, 'sse', 'websocket', 'polls', 'webhooks'),
      rest: testsIn('docs/pages')('the REST documentation loads no assets of other hosts'),
      files: testsIn('conformance/downloads')('serves HTML and SVG as downloads only'),
      mqtt: 'Answers JSON only, which browsers do not render.',
      'socket.io': 'Answers JSON only, which browsers do not render.',
    },
  },
  {
    number: 29,
    name: 'Answers cached for somebody else',
    advisories: ['GHSA-c6w9-5g5j-jh2p'],
    cells: {
      ...same(cookieTests('are answered with headers that keep shared caches from storing them'), 'graphql', 'rest'),
      ...same(NO_STORE, 'sse', 'websocket', 'polls', 'webhooks'),
      files: testsIn('conformance/uploads')('accepts several files, a preferred name and network-only access'),
      mqtt: 'Messages of a WebSocket are not cached.',
      'socket.io': 'Messages of a WebSocket are not cached.',
    },
  },
];
