/** The transports that an attack can take. */
export const TRANSPORTS = ['graphql', 'sse', 'websocket', 'rest', 'polls', 'webhooks', 'files'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** A test that holds a cell: its file, and its title or that of its `describe` as the file spells it. */
export interface Held {
  file: string;
  title: string;
}

/** Tests, or why the attack does not apply to the transport. */
export type Cell = readonly Held[] | string;

export interface AttackClass {
  number: number;
  name: string;
  /** Public identifiers of advisories of this class. */
  seen?: readonly string[];
  cells: { readonly [Name in Transport]: Cell };
}

const held =
  (file: string) =>
  (...titles: string[]): Held[] =>
    titles.map((title) => ({ file: `test/${file}.test.ts`, title }));

const overGraphql = held('security/graphql-transports');
const overRest = held('security/rest');
const polled = held('security/polls');
const hostile = held('security/hostile-input');
const production = held('security/production');
const sessions = held('security/sessions');
const origins = held('security/browser-origins');
const longRecords = held('security/read-budget');
const longEvents = held('realtime/event-bytes');
const sockets = held('realtime/attacks');
const pages = held('conformance/page-tokens');
const uploads = held('conformance/files');
const addresses = held('webhooks/address-guard');
const selections = held('webhooks/endpoints');
const readers = held('failure/slow-readers');
const forwarded = held('security/connections-per-address')(
  "the proxy's own connections are not counted, its clients' requests and websockets are",
);
const ended = held('security/ended-sessions')('websockets, event streams and polls of the session end within moments');
const rights = held('realtime/rights')('nothing is told any more, over any door, from that event on, after');
const shared = held('realtime/sharing')('what is shared tells each no more and no less than their own question does');

/** The same test over GraphQL HTTP, SSE and websocket. */
const three = (...titles: string[]) => {
  const tests = overGraphql(...titles);
  return { graphql: tests, sse: tests, websocket: tests };
};
const all = <Name extends Transport>(cell: Cell, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, cell])) as { [One in Name]: Cell };

const NO_FILTER = 'Nothing that a client sends becomes part of a filter here: records are found by ids, as text.';
const NO_DATA = 'Takes no free-form data.';
const NO_DOCUMENT = 'Runs documents of the gateway only; clients send none.';
const NO_WRITE = 'Reads only.';
const NO_EVENTS = 'Carries no events.';
const SAME_WRITES = 'Runs the same operations as GraphQL over HTTP; only the transport differs.';
const NO_HTML = 'Answers JSON only, which browsers do not render.';
const NO_PATH = 'No value of a client becomes part of a file path.';
const NO_COOKIE = 'No cookies: the caller must add an Authorization header, which another site cannot.';
const NO_STORE = 'Answers need an Authorization header: shared caches do not store them (RFC 9111, section 3.5).';
const NOT_A_SOCKET = 'Not a websocket.';
const NO_URL = 'Requests no URL that a client names.';
const ONE_CALL = 'One request is one call.';
const LOGGED_ALIKE = 'Shares the one logger, which writes neither headers nor payloads.';

export const ATTACK_CLASSES: readonly AttackClass[] = [
  {
    number: 1,
    name: 'Operator objects in place of text',
    seen: ['CVE-2021-22911', 'CVE-2021-22910', 'CVE-2026-45689', 'GHSA-vgjh-hmwf-c588'],
    cells: {
      ...three('operator objects in place of text', 'operator objects in place of a filter value'),
      rest: hostile('operator objects reach no query'),
      polls: polled('refuses %.40s by name'),
      webhooks: hostile('every scalar argument of the schema is typed: none takes an arbitrary object'),
      files: 'Form fields and ids in paths are text: they cannot express an object.',
    },
  },
  {
    number: 2,
    name: 'Operators and dotted keys inside free-form data',
    seen: ['CVE-2022-35246'],
    cells: {
      ...three('keeps operators and dotted keys in free data as they came'),
      rest: overRest('free data keeps operators and dotted keys as they came'),
      ...all(NO_DATA, 'polls', 'webhooks', 'files'),
    },
  },
  {
    number: 3,
    name: 'Code that runs in the database',
    seen: ['CVE-2021-22910'],
    cells: {
      ...three('treats patterns in searches as text'),
      rest: overRest('patterns in searches are text, and no command runs code'),
      ...all(NO_FILTER, 'polls', 'webhooks', 'files'),
    },
  },
  {
    number: 4,
    name: 'Regular expressions that take exponential time',
    seen: ['GHSA-mf3j-86qx-cq5j', 'GHSA-9cp7-3q5w-j92g'],
    cells: {
      ...three('treats patterns in searches as text'),
      rest: overRest('patterns in searches are text, and no command runs code'),
      polls: polled('ignores parameters for debugging and takes patterns in topics as text'),
      ...all(NO_FILTER, 'webhooks', 'files'),
    },
  },
  {
    number: 5,
    name: 'Guessing hidden fields by sorting or filtering',
    seen: ['GHSA-35jj-vqcf-f2jf', 'CVE-2022-36079', 'GHSA-rjg2-95x7-8qmx'],
    cells: {
      ...three('sorting by a field that is not listed', 'filtering by a field that is not listed'),
      rest: overRest('lists sort and filter by what is listed alone'),
      polls: 'Neither sorts nor filters by fields.',
      webhooks: 'The only filter of deliveries is an enum of states, checked by the schema.',
      files: 'Lists of files neither sort nor filter by fields.',
    },
  },
  {
    number: 6,
    name: 'A second transport without the checks of the first',
    seen: ['GHSA-p2x3-8689-cwpg', 'GHSA-6qh5-m6g3-xhq6'],
    cells: {
      graphql: held('graphql/http-audits')('GraphQL over HTTP'),
      ...all(sockets('queries and mutations are held to them as well, and answered as over HTTP'), 'sse', 'websocket'),
      rest: held('matrix/matrix')('each actor gets the outcome of the matrix over REST'),
      polls: rights,
      webhooks: selections('a selection that is %s is refused when it is saved'),
      files: uploads('accepts several files, a preferred name and network-only access'),
    },
  },
  {
    number: 7,
    name: 'Events that skip authorization',
    seen: ['GHSA-7ch5-98q2-7289', 'GHSA-9jpp-xhh6-75mf'],
    cells: {
      graphql: NO_EVENTS,
      ...all(rights, 'sse', 'websocket', 'rest', 'polls'),
      webhooks: held('webhooks/delivering')('delivers the result of a selection as a subscriber would receive it'),
      files: NO_EVENTS,
    },
  },
  {
    number: 8,
    name: 'Data of one subscriber in the event of another',
    seen: ['GHSA-m983-v2ff-wq65'],
    cells: {
      graphql: NO_EVENTS,
      ...all(
        [...shared, ...held('security/flag-filter')('an event shows each subscriber the filter that they may see')],
        'sse',
        'websocket',
        'rest',
        'polls',
      ),
      webhooks: held('webhooks/delivering')('delivers the result of a selection as a subscriber would receive it'),
      files: NO_EVENTS,
    },
  },
  {
    number: 9,
    name: 'Flags that return what the caller cannot read',
    seen: ['GHSA-r64r-5h43-26qv'],
    cells: {
      ...three('flagging a message that the caller cannot read'),
      rest: [
        ...held('conformance/flag-message')('unreadable messages cannot be flagged and look absent'),
        ...held('conformance/flag-post')('unreadable posts cannot be flagged and look absent'),
      ],
      ...all(NO_WRITE, 'polls'),
      ...all('Nothing here can be flagged.', 'webhooks', 'files'),
    },
  },
  {
    number: 10,
    name: 'Writes that reveal which ids exist',
    seen: ['GHSA-jq29-r496-r955'],
    cells: {
      ...three('marking a feed as read that the caller cannot see', 'marking a feed as read that does not exist'),
      rest: held('conformance/markers')('hidden feeds look absent; only members have markers'),
      polls: NO_WRITE,
      webhooks: selections('shows webhooks only to users who manage them'),
      files: uploads('creates ids of 128 random bits that cannot be derived from other ids of the file'),
    },
  },
  {
    number: 11,
    name: 'Escalation: roles above one’s own, fields that only moderators set',
    seen: ['GHSA-pmf4-v838-29hg', 'GHSA-gc7p-j5xm-xxh2', 'GHSA-5f92-jrq3-28rc'],
    cells: {
      ...three('roles among the fields of a profile', 'granting a role without the permission'),
      rest: [
        ...overRest('a profile takes no roles, bans or permissions'),
        ...held('conformance/community-roles')('requires the permission to assign roles and a sufficient rank'),
      ],
      polls: NO_WRITE,
      webhooks: selections('shows webhooks only to users who manage them'),
      files: uploads('is described by its owner and absent after its deletion'),
    },
  },
  {
    number: 12,
    name: 'A key used for more than it is for',
    seen: ['GHSA-79wj-8rqv-jvp5', 'GHSA-xfh7-phr7-gr2x'],
    cells: {
      graphql: sessions('a wrong server key mints nothing, and the API key is none'),
      ...all('Takes access tokens only; no key is read.', 'sse', 'websocket', 'files'),
      rest: [
        ...sessions('a wrong server key mints nothing, and the API key is none'),
        ...held('conformance/community-roles')('checks an X-API-Key if there is one; a wrong one changes nothing'),
      ],
      ...all(
        polled('needs a token of the network; a pull of webhooks needs the server key and nothing less'),
        'polls',
        'webhooks',
      ),
    },
  },
  {
    number: 13,
    name: 'Tokens that are forged, of another audience, or outlive their session',
    seen: ['GHSA-4q3h-vp4r-prv2', 'GHSA-x6fw-778m-wr9v', 'GHSA-5v66-m237-hwf7', 'GHSA-g65h-35f3-x2w3'],
    cells: {
      ...all(sessions('of another kind, key, algorithm, audience, issuer or age is refused'), 'graphql', 'rest'),
      ...all(ended, 'sse', 'websocket', 'polls'),
      webhooks: 'Pulls take the server key, which is no token; endpoints are managed over GraphQL.',
      files: uploads('rejects tokens that are forged, expired, of another audience or of a revoked session'),
    },
  },
  {
    number: 14,
    name: 'Amplification by aliases',
    seen: ['GHSA-ph52-67fq-75wj', 'GHSA-6q22-g298-grjh'],
    cells: {
      ...three('a field under thousands of aliases'),
      ...all(NO_DOCUMENT, 'rest', 'polls', 'files'),
      webhooks: overGraphql('a webhook selection that is too large'),
    },
  },
  {
    number: 15,
    name: 'Documents that are deep, circular or fan out, and limits that are exponential themselves',
    seen: ['GHSA-cmj3-wx7h-ffvg', 'GHSA-mfj6-6p54-m98c', 'GHSA-9fjp-q3c4-6w3j'],
    cells: {
      ...three('fragments that fan out 2^30 times', 'records nested without end'),
      ...all(NO_DOCUMENT, 'rest', 'polls', 'files'),
      webhooks: overGraphql('a webhook selection that is too deep'),
    },
  },
  {
    number: 16,
    name: 'JSON that is nested too deeply',
    seen: ['GHSA-9xp9-j92r-p88v'],
    cells: {
      ...three('data nested beyond the limit of bodies', 'nested beyond the limit of data'),
      rest: overRest('free data nested beyond the limit is refused'),
      polls: polled('refuses %.40s by name'),
      ...all('Takes no JSON from clients.', 'webhooks', 'files'),
    },
  },
  {
    number: 17,
    name: 'Batches that evade limits',
    seen: ['GHSA-775h-3xrc-c228'],
    cells: {
      graphql: hostile('batches'),
      sse: overGraphql('refuses an array of operations as a stream'),
      websocket: sockets('an array of operations is no operation'),
      ...all(ONE_CALL, 'rest', 'polls', 'webhooks', 'files'),
    },
  },
  {
    number: 18,
    name: 'Rate limits evaded by X-Forwarded-For',
    seen: ['GHSA-vm5r-c87r-pf6x'],
    cells: {
      ...all(forwarded, 'graphql', 'sse', 'rest', 'polls', 'files'),
      websocket: held('realtime/connections')('what comes over a socket counts as requests of its address do'),
      webhooks: 'Deliveries go out; the addresses of receivers are not limited by a header.',
    },
  },
  {
    number: 19,
    name: 'Introspection by another way',
    seen: ['GHSA-gxxq-pghq-9vrc', 'GHSA-6m77-f8xr-f723'],
    cells: {
      graphql: production(
        'introspection is off by every way in',
        'guessing words learns no name of the schema',
        'a wrong variable does not tell what would be right',
      ),
      ...all(sockets('in production'), 'sse', 'websocket'),
      ...all(NO_DOCUMENT, 'rest', 'polls', 'files'),
      webhooks: selections('a selection that is %s is refused when it is saved'),
    },
  },
  {
    number: 20,
    name: 'Requests forged by another site',
    seen: ['GHSA-v66j-6wwf-jc57', 'GHSA-p6mr-xf3r-ghq4', 'GHSA-q3p6-g7c4-829c'],
    cells: {
      graphql: [
        ...hostile('a mutation by GET changes nothing'),
        ...origins('a page of another origin is allowed nothing'),
      ],
      ...all(origins('a page of another origin is allowed nothing'), 'sse', 'rest', 'polls'),
      websocket: held('realtime/socket-codes')('pages of other origins do not'),
      ...all(NO_COOKIE, 'webhooks', 'files'),
    },
  },
  {
    number: 21,
    name: 'Websockets opened by another site',
    seen: ['CWE-1385'],
    cells: {
      ...all(NOT_A_SOCKET, 'graphql', 'sse', 'rest', 'polls', 'webhooks', 'files'),
      websocket: held('realtime/socket-codes')('pages of other origins do not'),
    },
  },
  {
    number: 22,
    name: 'Crashes by malformed frames or bodies',
    seen: ['GHSA-cm8h-q92v-xcfc', 'GHSA-273r-rm8g-7f3x', 'GHSA-hmgw-9jrg-hf2m'],
    cells: {
      ...all(hostile('%s refuses them and goes on serving'), 'graphql', 'sse', 'rest'),
      websocket: sockets('frames of noise end their own socket at most, and nobody else waits'),
      polls: polled('refuses the crafted %s'),
      webhooks: held('webhooks/send')('treats an upgrade to another protocol as an answer with status 101'),
      files: uploads('stores nothing of a rejected upload'),
    },
  },
  {
    number: 23,
    name: 'Floods, slow readers and slow writers',
    cells: {
      graphql: [
        ...readers('of GraphQL answers requested one behind the other'),
        ...held('failure/slow-writers')('a body that arrives a byte at a time is refused with 408'),
      ],
      sse: held('realtime/streams')('who reads too slowly is cut, and others go on'),
      websocket: held('realtime/message-floods')(
        'a socket that sends 10,000 subscribe messages at once is closed, and others are served meanwhile',
      ),
      rest: readers('of REST answers requested one behind the other'),
      polls: held('realtime/long-poll')('a poll that cannot be answered ends a while after it was to'),
      webhooks: held('webhooks/isolation')('delivers to nine receivers without delay while a tenth never answers'),
      files: readers('of a file'),
    },
  },
  {
    number: 24,
    name: 'Requests to internal addresses',
    seen: ['GHSA-hhfx-5x8j-f5f6', 'GHSA-6r7f-q7f5-wpx8', 'GHSA-3f5f-xgrj-97pf', 'GHSA-p9ff-j98v-p435'],
    cells: {
      ...all(NO_URL, 'graphql', 'sse', 'websocket', 'rest', 'polls'),
      webhooks: [
        ...addresses(
          'rejects a name that resolves to a private address before sending anything',
          'does not follow redirects',
          'resolves a name once, and connects to the address that was checked',
        ),
        ...selections('%s is refused when it is saved'),
      ],
      files: 'Files are uploaded, never fetched from a URL.',
    },
  },
  {
    number: 25,
    name: 'Secrets and tokens in logs',
    seen: ['GHSA-f24x-rm6g-3w5v'],
    cells: {
      ...all(LOGGED_ALIKE, 'graphql', 'sse', 'websocket', 'rest', 'polls', 'files'),
      webhooks: held('webhooks/secrets')(
        'keeps secrets, tokens and URLs of endpoints out of logs at any level and of later answers',
      ),
    },
  },
  {
    number: 26,
    name: 'Prototype pollution',
    seen: ['GHSA-93vw-8fm5-p2jf', 'GHSA-prm5-8g2m-24gg', 'GHSA-5j86-7r7m-p8h6'],
    cells: {
      ...three('takes the names that objects inherit as ids and names like any other', 'refuses free data %s'),
      rest: [
        ...hostile('names that objects inherit'),
        ...held('security/hostile-writes-chat')('keys that could reach a prototype are refused at both doors'),
      ],
      polls: polled('ignores parameters for debugging and takes patterns in topics as text'),
      ...all(NO_DATA, 'webhooks', 'files'),
    },
  },
  {
    number: 27,
    name: 'Stored scripts in uploads and pages',
    seen: ['GHSA-hcj7-6gxh-24ww', 'GHSA-w8xh-93qh-35vw'],
    cells: {
      graphql: production('GraphiQL is not served'),
      ...all(NO_HTML, 'sse', 'websocket', 'polls', 'webhooks'),
      rest: held('docs/pages')('the REST documentation needs nothing from elsewhere'),
      files: uploads('serves HTML and SVG as downloads only'),
    },
  },
  {
    number: 28,
    name: 'Paths built from names of files',
    seen: ['GHSA-393c-p46r-7c95', 'GHSA-hm3f-q6rw-m6wh'],
    cells: {
      ...all(NO_PATH, 'graphql', 'sse', 'websocket', 'rest', 'polls', 'webhooks'),
      files: held('docs/pages')('files of the sample network are served as what they are, and nothing else is'),
    },
  },
  {
    number: 29,
    name: 'Answers cached for somebody else',
    seen: ['GHSA-c6w9-5g5j-jh2p'],
    cells: {
      ...all(NO_STORE, 'graphql', 'sse', 'websocket', 'rest', 'polls', 'webhooks'),
      files: uploads('accepts several files, a preferred name and network-only access'),
    },
  },
  {
    number: 30,
    name: 'Details of failures',
    cells: {
      ...three('refuses %s'),
      rest: held('failure/read-only')('masks errors that the database did not cause'),
      polls: polled('refuses the crafted %s'),
      webhooks: held('webhooks/send')('describes a failed call without an address'),
      files: uploads('answers an upload that cannot be stored, and keeps serving'),
    },
  },
  {
    number: 31,
    name: 'Races',
    seen: ['GHSA-w73w-g5xw-rwhf'],
    cells: {
      graphql: held('concurrency/social')('flags and reactions of many on one comment are counted, each person once'),
      ...all(SAME_WRITES, 'sse', 'websocket'),
      rest: held('conformance/flag-message')('100 concurrent flags, some repeated, count each user once'),
      polls: NO_WRITE,
      webhooks: held('webhooks/leases')('sends each delivery once from several processes'),
      files: 'An upload creates a record of its own under a random id: two share nothing.',
    },
  },
  {
    number: 32,
    name: 'Queries without an index',
    seen: ['GHSA-g4cf-xj29-wqqr'],
    cells: {
      graphql: held('scaling/queries')('no query reads a collection without an index'),
      ...all('Sends the same queries as GraphQL over HTTP.', 'sse', 'websocket', 'polls', 'webhooks', 'files'),
      rest: held('conformance/every-route')('stays within its budget of database commands'),
    },
  },
  {
    number: 33,
    name: 'Cursors and tokens that are crafted, foreign or too long',
    cells: {
      ...three('the crafted cursor'),
      rest: pages(
        'are rejected when they belong to another list or the previous version, or are crafted',
        'rejects a parameter that contradicts the page token and names it',
      ),
      polls: polled('refuses the crafted %s'),
      webhooks: polled('a pull of webhooks refuses crafted cursors'),
      files: 'Files are read by id and range; the list of one’s own files is a GraphQL connection.',
    },
  },
  {
    number: 34,
    name: 'Webhook calls that are replayed or forged',
    cells: {
      ...all('Receives no webhook calls.', 'graphql', 'sse', 'websocket', 'rest', 'polls', 'files'),
      webhooks: held('webhooks/signature')(
        'is verified by the library of Standard Webhooks, only with its secret, body, id and time',
        'is valid with both secrets during a replacement, and not longer',
      ),
    },
  },
  {
    number: 35,
    name: 'A ban that deletes what others own',
    seen: ['GHSA-wr2m-38xh-rpc9'],
    cells: {
      ...all(overRest('a ban leaves posts and files of everyone as they are'), 'graphql', 'rest', 'files'),
      ...all(SAME_WRITES, 'sse', 'websocket'),
      ...all(NO_WRITE, 'polls'),
      webhooks: 'Endpoints belong to the network, not to a user who could be banned.',
    },
  },
  {
    number: 36,
    name: 'Parameters for debugging',
    seen: ['GHSA-xqp8-w826-hh6x'],
    cells: {
      ...three('arguments that ask for an explanation'),
      rest: overRest('parameters for debugging change nothing'),
      polls: polled('ignores parameters for debugging and takes patterns in topics as text'),
      ...all('Takes no parameters beyond those of the schema.', 'webhooks', 'files'),
    },
  },
  {
    number: 37,
    name: 'Pages, ids and aliases that read many long records',
    cells: {
      graphql: longRecords(
        'refuses pages of long records that together exceed the bytes a request may read',
        'counts long records that a page passes over',
        'refuses long records loaded by their ids beyond the bytes a request may read',
        'refuses to return more of them than a request may select, whether of several records or of one',
      ),
      ...all('Runs the same operations within the same budget as GraphQL over HTTP.', 'sse', 'websocket'),
      rest: longRecords(
        'answers a REST list beyond the bytes a request may read with 413',
        'answers a REST list that has more of them with 413',
      ),
      polls: longEvents(
        'passes over an event beyond the limit when polled for the newest, and answers 413 after a cursor',
      ),
      webhooks: longEvents(
        'fails the delivery of a webhook whose body exceeds the limit without a retry, and not its endpoint',
      ),
      files: 'One request reads one file, as a stream.',
    },
  },
];
