import { createHash } from 'node:crypto';
import type { TestGateway } from './gateway.ts';
import { PREFLIGHT } from './multipart.ts';
import { rawSocket } from './raw-socket.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The extensions with which Apollo Client and urql name a document by its hash. */
export const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  data?: any;
  errors?: Array<{ message: string; extensions?: { code?: string } }>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  extensions?: any;
}

/** The parameters of a GraphQL request, also in forms that no client sends. */
export type Parameters = Record<string, unknown>;
export type Send = (gateway: TestGateway, parameters: Parameters, headers?: Record<string, string>) => Promise<Answer>;

const JSON_RESPONSE = 'application/graphql-response+json';

const authorization = async (gateway: TestGateway) => `Bearer ${await gateway.tokenOf('alice')}`;

async function answerOf(response: Response): Promise<Answer> {
  return { ...((await response.json()) as Answer), status: response.status };
}

const post: Send = async (gateway, parameters, headers = {}) =>
  answerOf(
    await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        accept: JSON_RESPONSE,
        'content-type': 'application/json',
        authorization: await authorization(gateway),
        ...headers,
      },
      body: JSON.stringify(parameters),
    }),
  );

const get: Send = async (gateway, parameters, headers = {}) => {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return answerOf(
    await fetch(`${gateway.url}/graphql?${new URLSearchParams(Object.fromEntries(texts))}`, {
      headers: { accept: JSON_RESPONSE, authorization: await authorization(gateway), ...headers },
    }),
  );
};

/** The first result of a stream of server-sent events. */
const stream: Send = async (gateway, parameters, headers = {}) => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: await authorization(gateway),
      ...headers,
    },
    body: JSON.stringify(parameters),
  });
  const data = /^data: (\{.*)$/m.exec(await response.text())?.[1] ?? '{}';
  return { ...(JSON.parse(data) as Answer), status: response.status };
};

const websocket: Send = async (gateway, parameters) => {
  const socket = await (await rawSocket(gateway.url)).init(await gateway.tokenOf('alice'));
  try {
    // The protocol requires a text.
    socket.send({ id: '1', type: 'subscribe', payload: { query: '', ...parameters } });
    const { type, payload } = await socket.message(({ id }) => id === '1');
    return type === 'error' ? { status: 0, errors: payload } : { status: 0, ...payload };
  } finally {
    socket.close();
  }
};

/** Every transport that carries the documents of clients. */
export const TRANSPORTS: ReadonlyArray<[name: string, send: Send]> = [
  ['POST', post],
  ['GET', get],
  ['server-sent events', stream],
  ['WebSocket', websocket],
];

export { get, post, websocket };

/** Uploads a file in a multipart request with these operations. */
export async function upload(
  gateway: TestGateway,
  operations: Parameters,
  accept: string = JSON_RESPONSE,
): Promise<Answer> {
  const form = new FormData();
  form.append('operations', JSON.stringify({ ...operations, variables: { file: null } }));
  form.append('map', JSON.stringify({ 0: ['variables.file'] }));
  form.append('0', new File(['a note'], 'note.txt', { type: 'text/plain' }), 'note.txt');
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...PREFLIGHT, accept, authorization: await authorization(gateway) },
    body: form,
  });
  return answerOf(response);
}
