import { setTimeout as pause } from 'node:timers/promises';
import { type Call, type Endpoint, type Random, type Reply, send } from './gateways.ts';
import type { Register, Version } from './history.ts';
import { beginWrite, type Change, type Person, type World } from './world.ts';

/** Time after which a write whose answer was lost has taken effect or never will, in milliseconds. */
const SETTLED_MS = 2_500;

export interface SessionState {
  token: string;
  hasEnded: Register<boolean>;
}

/** A user on one device, who sends each request to a gateway of their own choice. */
export interface Client {
  name: string;
  person: Person;
  world: World;
  random: Random;
  endpoints: readonly Endpoint[];
  session: SessionState;
  /** Sessions that this client has ended, whose tokens must be refused. */
  ended: SessionState[];
  signIn(person: Person): Promise<SessionState>;
}

export type WriteResult = 'done' | 'refused' | 'unknown';

/** Sends a request to a random gateway, or to any but one. The answer must be a refusal exactly if the session has ended. */
export async function request(
  client: Client,
  call: Call,
  { session = client.session, notTo }: { session?: SessionState; notTo?: string } = {},
): Promise<Reply> {
  const endpoints = client.endpoints.filter(({ name }) => name !== notTo);
  const endpoint = client.random.pick(endpoints.length > 0 ? endpoints : client.endpoints);
  const reply = await send(endpoint, call, { token: session.token, client: client.name });
  if (!isLost(reply)) {
    const found = reply.status === 401;
    client.world.history.derived(reply, 'refusal of the session', {
      of: [session.hasEnded],
      derive: (ended) => ended,
      found,
    });
  }
  return reply;
}

/** Whether the request has no answer that says what a gateway read. */
export function isLost({ status, body }: Reply): boolean {
  return status === 0 || status >= 500 || hasCode(body, 'UNAVAILABLE') || hasCode(body, 'TIMEOUT');
}

/** Whether a write was refused because something that it depends on was changed concurrently. */
export function isConflict({ status, body }: Reply): boolean {
  return status === 409 || payloadOf(body)?.code === 'CONFLICT';
}

function hasCode(body: Reply['body'], code: string): boolean {
  return Boolean(body?.errors?.some((error: { extensions?: { code?: string } }) => error.extensions?.code === code));
}

export interface Write {
  changes: readonly Change[];
  call: Call;
  /** Called with the answer of a write that was done; its registers are not written meanwhile. */
  onDone?: (reply: Reply) => Promise<void> | void;
  /** Reads from the database whether a write whose answer was lost has taken effect. */
  resolve?: () => Promise<boolean>;
}

/** Executes a write and records when it was acknowledged. @returns null when a register is being written already */
export async function write(
  client: Client,
  { changes, call, onDone, resolve }: Write,
  judge?: (reply: Reply, isDone: boolean) => void,
): Promise<{ reply: Reply; result: WriteResult } | null> {
  const begun = beginWrite(changes);
  if (!begun) return null;
  try {
    const reply = await request(client, call);
    const result = resultOf(reply);
    if (result === 'unknown') {
      await pause(SETTLED_MS);
      settle(begun.versions, resolve ? ((await resolve()) ? 'done' : 'refused') : 'unknown', performance.now());
      return { reply, result };
    }
    settle(begun.versions, result, reply.end);
    if (result === 'done') await onDone?.(reply);
    if (reply.status !== 401) judge?.(reply, result === 'done');
    return { reply, result };
  } finally {
    begun.end();
  }
}

function settle(versions: readonly Version<unknown>[], outcome: 'done' | 'refused' | 'unknown', end: number): void {
  for (const version of versions) {
    version.outcome = outcome;
    if (outcome === 'done') version.end = end;
  }
}

function resultOf(reply: Reply): WriteResult {
  const { status, body } = reply;
  if (isLost(reply)) return 'unknown';
  if (status >= 400 || body?.errors) return 'refused';
  const payload = payloadOf(body);
  if (payload?.__typename !== 'OperationError') return 'done';
  return payload.code === 'UNAVAILABLE' || payload.code === 'TIMEOUT' ? 'unknown' : 'refused';
}

function payloadOf(body: Reply['body']): { __typename?: string; code?: string } | null {
  return body?.data ? (Object.values(body.data)[0] as { __typename?: string; code?: string } | null) : null;
}

/** A mutation with its input, as the GraphQL interface takes it. */
export function mutation(name: string, input: object, select = 'clientMutationId'): Call {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return {
    query: `mutation ($input: ${type}Input!) { answer: ${name}(input: $input) { __typename ... on ${type}Payload { ${select} } ... on OperationError { code message } } }`,
    variables: { input },
  };
}
