import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { JsonSchema } from '../answer-schema.ts';
import { type Parts, ref } from './parts.ts';

/** GraphQL over WebSocket with the `graphql-transport-ws` protocol, as one channel. */
export function socketParts(): Parts {
  const messages = Object.fromEntries(
    Object.entries(MESSAGES).map(([name, { title, payload }]) => [
      `graphql.${name}`,
      { name, title, payload: frame(name, payload) },
    ]),
  );
  const messageRefs = (names: string[]) => names.map((name) => ({ $ref: `#/channels/graphql/messages/${name}` }));
  const entries = Object.entries(MESSAGES);
  return {
    messages,
    channels: {
      graphql: {
        address: '/graphql',
        title: 'GraphQL over WebSocket',
        description:
          'Subprotocol `graphql-transport-ws`. The schema has one subscription per event, and `events` for several types. The same subscriptions are available as server-sent events by POST to the same URL.',
        servers: [{ $ref: '#/servers/websocket' }],
        messages: Object.fromEntries(Object.keys(MESSAGES).map((name) => [name, ref('messages', `graphql.${name}`)])),
        bindings: { ws: { method: 'GET', headers: SUBPROTOCOL, bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      'graphql.receive': {
        action: 'receive',
        channel: { $ref: '#/channels/graphql' },
        title: 'Messages from the client',
        security: [ref('securitySchemes', 'bearer')],
        messages: messageRefs(entries.filter(([, { by }]) => by !== 'server').map(([name]) => name)),
      },
      'graphql.send': {
        action: 'send',
        channel: { $ref: '#/channels/graphql' },
        title: 'Messages from the server',
        messages: messageRefs(entries.filter(([, { by }]) => by !== 'client').map(([name]) => name)),
      },
    },
  };
}

interface SocketMessage {
  title: string;
  by: 'client' | 'server' | 'both';
  /** Properties of the message besides `type`. */
  payload: { [key: string]: JsonSchema };
}

const ID: JsonSchema = {
  type: 'string',
  maxLength: LIVE_LIMITS.operationId,
  description: 'Id of the operation, unique on this socket.',
};
const ERRORS: JsonSchema = { type: 'array', minItems: 1, items: { type: 'object', required: ['message'] } };
const SUBPROTOCOL: JsonSchema = {
  type: 'object',
  properties: { 'Sec-WebSocket-Protocol': { const: 'graphql-transport-ws' } },
};

const MESSAGES: { readonly [name: string]: SocketMessage } = {
  connection_init: {
    title:
      'Authenticates the client: `{"Authorization": "Bearer <token>"}`. Optional when the upgrade request had the header.',
    by: 'client',
    payload: { payload: { type: 'object', properties: { Authorization: { type: 'string' } } } },
  },
  connection_ack: {
    title:
      'The client is authenticated. The cursor is the current position of the event log, at which a subscription can resume that breaks before its first event.',
    by: 'server',
    payload: { payload: { type: 'object', properties: { cursor: { $ref: '#/components/schemas/EventCursor' } } } },
  },
  subscribe: {
    title: 'Starts a subscription, a query or a mutation.',
    by: 'client',
    payload: {
      id: ID,
      payload: {
        type: 'object',
        required: ['query'],
        properties: {
          query: { type: 'string' },
          variables: { type: ['object', 'null'] },
          operationName: { type: ['string', 'null'] },
        },
      },
    },
  },
  next: {
    title: 'A result: for a subscription, one event with the selected fields.',
    by: 'server',
    payload: {
      id: ID,
      payload: { type: 'object', properties: { data: { type: ['object', 'null'] }, errors: ERRORS } },
    },
  },
  error: {
    title: 'The operation was rejected, or ended with an error.',
    by: 'server',
    payload: { id: ID, payload: ERRORS },
  },
  complete: { title: 'Ends the operation.', by: 'both', payload: { id: ID } },
  ping: {
    title:
      'Keep-alive message, to which the receiver responds with `pong`. The server adds a cursor, and the ids of the subscriptions that have received all events up to it.',
    by: 'both',
    payload: { payload: { type: 'object', properties: { cursor: { $ref: '#/components/schemas/EventCursor' } } } },
  },
  pong: { title: 'Response to `ping`.', by: 'both', payload: { payload: { type: 'object' } } },
};

/** Messages whose payload is optional. */
const OPTIONAL = new Set(['connection_init', 'connection_ack', 'ping', 'pong']);

function frame(type: string, payload: { [key: string]: JsonSchema }): JsonSchema {
  const properties = { type: { const: type }, ...payload };
  return { type: 'object', required: OPTIONAL.has(type) ? ['type'] : Object.keys(properties), properties };
}
