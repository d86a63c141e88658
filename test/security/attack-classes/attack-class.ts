/** The transports over which an attack can arrive. */
export const TRANSPORTS = [
  'graphql',
  'sse',
  'websocket',
  'mqtt',
  'socket.io',
  'rest',
  'polls',
  'webhooks',
  'files',
] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** A test by its file and its title, or the title of its `describe`, as spelled in that file. */
export interface TestReference {
  file: string;
  title: string;
}

/** The tests that cover an attack over a transport, or the reason why the attack does not apply. */
export type Cell = readonly TestReference[] | string;

export interface AttackClass {
  number: number;
  name: string;
  /** Public identifiers of advisories of this class. */
  advisories?: readonly string[];
  cells: { readonly [Name in Transport]: Cell };
}

/** References to tests of `test/<file>.test.ts` by title. */
export const testsIn =
  (file: string) =>
  (...titles: string[]): TestReference[] =>
    titles.map((title) => ({ file: `test/${file}.test.ts`, title }));

/** Tests of socket.io by title. */
export const socketIoTests = testsIn('realtime/socket-io');

/** The same cell for several transports. */
export const same = <Name extends Transport>(cell: Cell, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, cell])) as { [One in Name]: Cell };

/** Tests of `security/graphql-transports`, which run over GraphQL HTTP, SSE and WebSocket. */
export const overGraphqlTransports = (...titles: string[]) =>
  same(testsIn('security/graphql-transports')(...titles), 'graphql', 'sse', 'websocket');

// Reasons, shared by several groups of classes, why an attack does not apply to a transport.
export const NO_DOCUMENT = 'Runs documents of the gateway only; clients send none.';
export const NO_WRITE = 'Reads only.';
export const SAME_OPERATIONS = 'Runs the same operations as GraphQL over HTTP; only the transport differs.';
