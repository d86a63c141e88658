import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { WebSocket } from 'ws';
import type { Tally } from './tally.ts';

/** One connection of a subscriber. */
export interface Connection {
  url: string;
  token: string;
  /** The subscribed topic. */
  topic: string;
  tally: Tally;
  /** Closes the connection from the client's side. */
  signal: AbortSignal;
}

/** Connects, records the received events, and resolves when the connection has ended. */
export type Connect = (connection: Connection) => Promise<void>;

const QUERY =
  'subscription ($topic: String, $after: String) { event: postUpdated(topic: $topic, after: $after) { path cursor post { postId } } }';

interface Result {
  data?: { event: { path: string; cursor: string; post: { postId: string } } };
  errors?: Array<{ message: string; extensions: { code: string } }>;
}

/** Errors are faults, except UNAVAILABLE, after which a client reconnects. */
function takeResult({ data, errors }: Result, tally: Tally): void {
  if (data) tally.take(data.event.path, data.event.cursor);
  for (const { message, extensions } of errors ?? []) {
    if (extensions.code !== 'UNAVAILABLE') tally.faults.push(`${extensions.code}: ${message}`);
  }
}

export const overSocket: Connect = ({ url, token, topic, tally, signal }) =>
  new Promise((over) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const send = (message: object) => socket.send(JSON.stringify(message));
    signal.addEventListener('abort', () => socket.terminate(), { once: true });
    socket.on('error', () => undefined);
    socket.once('close', () => over());
    socket.once('open', () => send({ type: 'connection_init', payload: { accessToken: token } }));
    socket.on('message', (text) => {
      const { type, payload } = JSON.parse(String(text));
      if (type === 'connection_ack') {
        const variables = { topic, after: tally.cursor };
        send({ id: '1', type: 'subscribe', payload: { query: QUERY, variables } });
      } else if (type === 'next') takeResult(payload, tally);
      else if (type === 'ping') {
        send({ type: 'pong' });
        if (payload?.ids.includes('1')) tally.reach(payload.cursor);
      } else if (type === 'error') {
        takeResult({ errors: payload }, tally);
        socket.terminate();
      }
    });
  });

interface RequestOptions {
  path: string;
  accept: string;
  body?: object;
}

/** @returns null when there is no response */
function sendRequest(
  { url, token, signal }: Connection,
  { path, accept, body }: RequestOptions,
): Promise<IncomingMessage | null> {
  return new Promise((resolve) => {
    const sent: ClientRequest = request(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      agent: false,
      headers: { accept, authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    });
    signal.addEventListener('abort', () => sent.destroy(), { once: true });
    sent.on('error', () => resolve(null));
    sent.once('response', resolve);
    sent.end(body && JSON.stringify(body));
  });
}

/** Passes on each complete block of a stream of server-sent events. */
async function blocksOf(response: IncomingMessage, take: (fields: Map<string, string>) => void): Promise<void> {
  let rest = '';
  response.setEncoding('utf8');
  try {
    for await (const text of response) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const lines = block.split('\n').map((line): [string, string] => {
          const at = line.indexOf(': ');
          return [line.slice(0, at), line.slice(at + 2)];
        });
        take(new Map(lines));
      }
    }
  } catch {
    // The connection was closed.
  }
}

export const overStream: Connect = async (connection) => {
  const { topic, tally } = connection;
  const body = { query: QUERY, variables: { topic, after: tally.cursor } };
  const response = await sendRequest(connection, { path: '/graphql', accept: 'text/event-stream', body });
  if (!response) return;
  await blocksOf(response, (fields) => {
    if (fields.get('event') === 'next') takeResult(JSON.parse(fields.get('data')!), tally);
  });
};

const restPath = ({ topic, tally }: Connection, wait = '') =>
  `/realtime/post.updated?topic=${encodeURIComponent(topic)}&after=${tally.cursor}${wait}`;

export const overRestStream: Connect = async (connection) => {
  const { tally } = connection;
  const response = await sendRequest(connection, { path: restPath(connection), accept: 'text/event-stream' });
  if (!response) return;
  await blocksOf(response, (fields) => {
    const [id, data] = [fields.get('id'), fields.get('data')];
    if (fields.get('event') === 'error') {
      if (JSON.parse(data!).code !== 500_000) tally.faults.push(data!);
    } else if (id && data) tally.take(JSON.parse(data).path, id);
    else if (id) tally.reach(id);
  });
};

export const overLongPoll: Connect = async (connection) => {
  const { tally, signal } = connection;
  while (!signal.aborted) {
    const response = await sendRequest(connection, {
      path: restPath(connection, '&wait=5'),
      accept: 'application/json',
    });
    if (!response) return;
    const text = await textOf(response);
    if (text === null) return;
    const cursor = String(response.headers['event-cursor']);
    if (response.statusCode === 200) tally.take(JSON.parse(text).path, cursor);
    else if (response.statusCode === 204) tally.reach(cursor);
    else if (response.statusCode === 503) return;
    else {
      tally.faults.push(`${response.statusCode}: ${text}`);
      return;
    }
  }
};

/** @returns null when the response is incomplete */
async function textOf(response: IncomingMessage): Promise<string | null> {
  let text = '';
  try {
    for await (const part of response) text += String(part);
    return response.complete ? text : null;
  } catch {
    return null;
  }
}
