/**
 * Bounds on what one client may send, request, receive and hold open, shared by every transport. `npm run generate`
 * prints them into `docs/reference/limits.md`. Bounds that belong to one operation (characters of a post, ids of a list) are in
 * its input schema, and bounds that an operator chooses are settings.
 */
export interface Limit {
  value: number;
  /** @default a plain number */
  unit?: 'bytes' | 'characters' | 'ms';
  /** What the limit counts; completes "at most". */
  bounds: string;
  /** What happens beyond the limit. */
  refusal: string;
}

type Group = { readonly [name: string]: Limit };

const TOO_LARGE = '`TOO_LARGE`, 413 over HTTP';
const RATE_LIMITED = '`RATE_LIMITED`';

const HTTP = {
  bodyBytes: { value: 1_048_576, unit: 'bytes', bounds: 'body of one request, uploads apart', refusal: TOO_LARGE },
  headerBytes: { value: 32_768, unit: 'bytes', bounds: 'URL and headers of one request, together', refusal: '431' },
  requestMs: { value: 60_000, unit: 'ms', bounds: 'time that one request takes to arrive', refusal: '408' },
  jsonDepth: {
    value: 64,
    bounds: 'nesting of objects and arrays in one JSON body or WebSocket message',
    refusal: '`BAD_REQUEST`; a socket is closed with 4400',
  },
  jsonValues: {
    value: 5_000,
    bounds: 'members and elements of one JSON body or WebSocket message',
    refusal: `${TOO_LARGE}; a socket is closed with 4400`,
  },
  pathParameter: { value: 2_000, unit: 'characters', bounds: 'one path parameter', refusal: '`INVALID_PARAMETERS`' },
  queryParameters: { value: 500, bounds: 'parameters of one query string', refusal: 'ignored' },
  queryDepth: { value: 4, bounds: 'nesting of one query string', refusal: 'deeper keys are taken literally' },
  queryArray: { value: 200, bounds: 'elements of one indexed array in a query string', refusal: 'taken as keys' },
} as const satisfies Group;

const CONNECTION = {
  headersMs: { value: 15_000, unit: 'ms', bounds: 'time in which the headers of a request arrive', refusal: '408' },
  bodyMs: { value: 20_000, unit: 'ms', bounds: 'time in which the next KiB of a request body arrives', refusal: '408' },
  bodyProgress: { value: 1_024, unit: 'bytes', bounds: 'part of a body that must arrive in that time', refusal: '408' },
  uploadMs: { value: 1_800_000, unit: 'ms', bounds: 'time that one upload takes to arrive', refusal: '408' },
  keepAliveMs: { value: 72_000, unit: 'ms', bounds: 'time between two requests of a connection', refusal: 'closed' },
  writeMs: {
    value: 20_000,
    unit: 'ms',
    bounds: 'time in which a client accepts none of its unsent bytes',
    refusal: 'disconnected',
  },
  drainMs: {
    value: 60_000,
    unit: 'ms',
    bounds: 'time in which a client accepts the next 64 KiB of its unsent bytes, or all of them',
    refusal: 'disconnected',
  },
  drainBytes: {
    value: 65_536,
    unit: 'bytes',
    bounds: 'part that a client must accept in that time',
    refusal: 'disconnected',
  },
  unsentPerClient: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'unsent bytes of one client address, on all its connections to a process',
    refusal: 'its slowest connections are closed',
  },
  unsentPerSession: {
    value: 16_777_216,
    unit: 'bytes',
    bounds: 'unsent bytes of one session, on all its connections to a process from any address',
    refusal: 'its slowest connections are closed',
  },
  unsentTotal: {
    value: 67_108_864,
    unit: 'bytes',
    bounds: 'unsent bytes of all clients of a process',
    refusal: 'the slowest connections are closed',
  },
  pipelined: { value: 64, bounds: 'pipelined requests that wait on one connection', refusal: 'disconnected' },
} as const satisfies Group;

const OPERATION = {
  source: { value: 100_000, unit: 'characters', bounds: 'source text of one document', refusal: TOO_LARGE },
  tokens: { value: 3_000, bounds: 'lexical tokens of one document', refusal: TOO_LARGE },
  definitions: { value: 100, bounds: 'operations and fragments of one document', refusal: TOO_LARGE },
  depth: { value: 24, bounds: 'nesting of fields, with fragments expanded', refusal: TOO_LARGE },
  fields: {
    value: 10_000,
    bounds: 'fields and spreads of one document, with fragments written out',
    refusal: TOO_LARGE,
  },
  selections: {
    value: 200,
    bounds: 'selections of one selection set, and response names with those of its fragments',
    refusal: TOO_LARGE,
  },
  aliases: { value: 50, bounds: 'response names of one field in one selection set', refusal: TOO_LARGE },
  comparisons: {
    value: 20_000,
    bounds: 'pairs of fields with the same response name, which validation compares',
    refusal: TOO_LARGE,
  },
  introspectionAliases: {
    value: 1,
    bounds: 'response names of `__schema`, `__type` and of each field in them',
    refusal: TOO_LARGE,
  },
  introspectionDepth: {
    value: 1,
    bounds: 'lists of `__Type` (`fields`, `interfaces` …) inside one another',
    refusal: TOO_LARGE,
  },
  cost: { value: 25_000, bounds: 'cost of one query or mutation', refusal: TOO_LARGE },
  eventCost: { value: 5_000, bounds: 'cost of one subscription, which is executed for each event', refusal: TOO_LARGE },
  readBytes: {
    value: 12_582_912,
    unit: 'bytes',
    bounds: 'records that one request reads, as stored',
    refusal: TOO_LARGE,
  },
  freeFormMembers: {
    value: 150_000,
    bounds:
      'members and elements of long free-form data (`metadata` and `data` of 4 KiB and more) that one request selects',
    refusal: TOO_LARGE,
  },
  eventReadBytes: {
    value: 2_097_152,
    unit: 'bytes',
    bounds: 'records that one subscription reads for one event, as stored',
    refusal: '`TOO_LARGE` in place of the event',
  },
  eventFreeFormMembers: {
    value: 25_000,
    bounds: 'members and elements of long free-form data that one subscription selects for one event',
    refusal: '`TOO_LARGE` in place of the event',
  },
  expensive: {
    value: 4,
    bounds: 'expensive requests that a process runs concurrently: of high cost, with large pages or with much data',
    refusal: 'they wait; `UNAVAILABLE`, 503 over HTTP, after three quarters of `DATABASE_TIMEOUT_MS`',
  },
  expensiveCost: { value: 5_000, bounds: 'cost of an operation that is not expensive', refusal: 'counts as expensive' },
  expensiveBytes: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'records that a request reads which is not expensive, as stored',
    refusal: 'counts as expensive',
  },
  repeats: { value: 2, bounds: 'times that a list without pages is nested in itself', refusal: TOO_LARGE },
  persistedDocuments: {
    value: 1_000,
    bounds: 'documents of automatic persisted queries that a process keeps',
    refusal: 'the one unused for longest is removed: `PERSISTED_QUERY_NOT_FOUND`',
  },
  persistedBytes: {
    value: 4_194_304,
    unit: 'bytes',
    bounds: 'memory for these documents, 2 bytes for each character',
    refusal: 'those unused for longest are removed',
  },
} as const satisfies Group;

const VARIABLE = {
  variableValues: {
    value: 5_000,
    bounds: 'keys and elements of all variables of one operation',
    refusal: TOO_LARGE,
  },
  variableDepth: { value: 64, bounds: 'nesting of objects and lists in the variables', refusal: TOO_LARGE },
} as const satisfies Group;

const ANSWER = {
  answerBytes: { value: 10_485_760, unit: 'bytes', bounds: 'one answer', refusal: TOO_LARGE },
  eventBytes: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'one event, over every transport, and the body of one webhook',
    refusal: '`TOO_LARGE` in its place; a webhook is not sent, and its delivery fails',
  },
  errors: { value: 20, bounds: 'errors of one answer', refusal: 'the rest is left out' },
  errorMessage: { value: 500, unit: 'characters', bounds: 'message of one error', refusal: 'cut off' },
} as const satisfies Group;

const LIVE = {
  initMs: {
    value: 10_000,
    unit: 'ms',
    bounds: 'time between opening a WebSocket and `connection_init`',
    refusal: 'closed with 4408',
  },
  payload: { value: 262_144, unit: 'bytes', bounds: 'one message of a client', refusal: 'closed with 1009' },
  fragments: { value: 1_024, bounds: 'fragments of one message', refusal: 'closed with 1008' },
  chunks: { value: 8_192, bounds: 'packets in which one message arrives', refusal: 'closed with 1008' },
  closeMs: {
    value: 1_000,
    unit: 'ms',
    bounds: 'time that a client has to answer a close frame',
    refusal: 'disconnected',
  },
  subscriptions: { value: 100, bounds: 'subscriptions on one WebSocket', refusal: RATE_LIMITED },
  subscriptionsPerUser: {
    value: 500,
    bounds: 'subscriptions on all WebSockets of one user, for each process',
    refusal: RATE_LIMITED,
  },
  subscription: {
    value: 32_768,
    unit: 'characters',
    bounds: 'one subscription with its variables',
    refusal: '`TOO_LARGE`',
  },
  operationId: {
    value: 256,
    unit: 'characters',
    bounds: 'id of an operation on a WebSocket',
    refusal: 'closed with 4400',
  },
  operations: { value: 20, bounds: 'queries and mutations in progress on one WebSocket', refusal: RATE_LIMITED },
  messages: { value: 5_000, bounds: 'messages of one WebSocket in 10 s', refusal: 'closed with 4429' },
  waiting: { value: 1_000, bounds: 'messages that wait on one WebSocket', refusal: 'closed with 4429' },
  waitingCharacters: {
    value: 524_288,
    unit: 'characters',
    bounds: 'total length of the messages that wait on one WebSocket',
    refusal: 'the socket is not read until they are handled',
  },
  refusals: {
    value: 100,
    bounds: 'messages of one WebSocket in 10 s that are refused with `RATE_LIMITED`',
    refusal: 'closed with 4429',
  },
  perUser: {
    value: 100,
    bounds: 'WebSockets, event streams and polls of one user, for each process',
    refusal: 'closed with 4429; 429 over HTTP',
  },
  buffered: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'unsent bytes of one reader of events',
    refusal: 'disconnected; resumes with its cursor',
  },
  heartbeatMs: {
    value: 15_000,
    unit: 'ms',
    bounds: 'time between two pings',
    refusal: 'a socket without a pong is disconnected',
  },
  mqttPacketBytes: { value: 65_536, unit: 'bytes', bounds: 'one MQTT packet of a client', refusal: 'disconnected' },
  mqttPackets: { value: 1_000, bounds: 'MQTT packets of one connection in 10 s', refusal: 'disconnected' },
  mqttWaiting: {
    value: 100,
    bounds: 'MQTT packets that wait on one connection',
    refusal: 'the connection is not read until they are handled',
  },
  mqttClientId: {
    value: 256,
    unit: 'characters',
    bounds: 'client identifier of an MQTT connection',
    refusal: 'return code 2',
  },
  mqttTopics: {
    value: 500,
    bounds: 'topics of one MQTT session',
    refusal: 'replaces the oldest topic of earlier connections; without one, 128 in the SUBACK',
  },
  mqttTopicsPerUser: {
    value: 2_000,
    bounds: 'topics of all MQTT connections of one user, for each process',
    refusal: '128 in the SUBACK',
  },
  mqttSessions: {
    value: 50,
    bounds: 'stored MQTT sessions of one user',
    refusal: 'the session unused for longest is removed',
  },
  mqttSessionMs: {
    value: 86_400_000,
    unit: 'ms',
    bounds: 'time that an MQTT session is kept after its last connection',
    refusal: 'removed',
  },
} as const satisfies Group;

export const HTTP_LIMITS = valuesOf(HTTP);
/** Limits of every connection: buffered bytes, and how slowly its client may read and write. */
export const CONNECTION_LIMITS = valuesOf(CONNECTION);
/** Limits of one GraphQL operation; see `measure` for the cost. */
export const OPERATION_LIMITS = valuesOf(OPERATION);
export const VARIABLE_LIMITS = valuesOf(VARIABLE);
export const ANSWER_LIMITS = valuesOf(ANSWER);
/** Limits of subscribers over every transport. */
export const LIVE_LIMITS = valuesOf(LIVE);

/** The definitions, by section of `docs/reference/limits.md`. */
export const LIMIT_SECTIONS = {
  http: HTTP,
  connections: CONNECTION,
  operations: OPERATION,
  variables: VARIABLE,
  answers: ANSWER,
  realtime: LIVE,
} as const;

const REFUSING = { ...HTTP, ...OPERATION, ...VARIABLE, ...ANSWER } as const;
export type LimitName = keyof typeof REFUSING;

/** The error message: the limit, its value and, where known, the actual value. */
export function limitExceeded(limit: LimitName, actual?: number): string {
  const { value, bounds, unit }: Limit = REFUSING[limit];
  const found = actual === undefined ? '' : `; found ${actual.toLocaleString('en')}`;
  return `Limit exceeded (${limit}): at most ${value.toLocaleString('en')}${unit ? ` ${unit}` : ''}, ${bounds}${found}.`;
}

function valuesOf<Definitions extends Group>(
  definitions: Definitions,
): { readonly [Name in keyof Definitions]: number } {
  const values = Object.entries(definitions).map(([name, { value }]) => [name, value]);
  return Object.fromEntries(values) as { [Name in keyof Definitions]: number };
}
