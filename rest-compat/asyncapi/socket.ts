import type { JsonSchema } from '../answer-schema.ts';
import type { Parts } from './asyncapi.ts';
import { ref } from './realtime.ts';

/** GraphQL over websockets, `graphql-transport-ws`: one channel for everything that is asked and told. */
export function socketParts(): Parts {
  const messages = Object.fromEntries(
    Object.entries(MESSAGES).map(([name, { title, payload }]) => [
      `graphql.${name}`,
      { name, title, payload: frame(name, payload) },
    ]),
  );
  const named = (names: string[]) => names.map((name) => ({ $ref: `#/channels/graphql/messages/${name}` }));
  const ways = Object.entries(MESSAGES);
  return {
    messages,
    channels: {
      graphql: {
        address: '/graphql',
        title: 'GraphQL over a websocket',
        description:
          'The subprotocol `graphql-transport-ws`. A subscription for each event, and `events` for many at once: the schema says what can be selected of them. The same subscriptions are answered as server-sent events by POST to the same address.',
        servers: [{ $ref: '#/servers/websocket' }],
        messages: Object.fromEntries(Object.keys(MESSAGES).map((name) => [name, ref('messages', `graphql.${name}`)])),
        bindings: { ws: { method: 'GET', headers: SUBPROTOCOL, bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      'graphql.listen': {
        action: 'receive',
        channel: { $ref: '#/channels/graphql' },
        title: 'What a client says',
        security: [ref('securitySchemes', 'bearer')],
        messages: named(ways.filter(([, { by }]) => by !== 'server').map(([name]) => name)),
      },
      'graphql.tell': {
        action: 'send',
        channel: { $ref: '#/channels/graphql' },
        title: 'What a client is told',
        messages: named(ways.filter(([, { by }]) => by !== 'client').map(([name]) => name)),
      },
    },
  };
}

interface SocketMessage {
  title: string;
  by: 'client' | 'server' | 'both';
  /** What stands in it besides its type. */
  payload: { [key: string]: JsonSchema };
}

const ID: JsonSchema = { type: 'string', description: 'Names the subscription on this socket.' };
const ERRORS: JsonSchema = { type: 'array', minItems: 1, items: { type: 'object', required: ['message'] } };
const SUBPROTOCOL: JsonSchema = {
  type: 'object',
  properties: { 'Sec-WebSocket-Protocol': { const: 'graphql-transport-ws' } },
};

const MESSAGES: { readonly [name: string]: SocketMessage } = {
  connection_init: {
    title: 'Who the client is: `{"Authorization": "Bearer <token>"}`, unless the header of the upgrade said so.',
    by: 'client',
    payload: { payload: { type: 'object', properties: { Authorization: { type: 'string' } } } },
  },
  connection_ack: { title: 'The client is known.', by: 'server', payload: {} },
  subscribe: {
    title: 'A subscription, a query or a mutation.',
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
    title: 'An event, as it was selected.',
    by: 'server',
    payload: {
      id: ID,
      payload: { type: 'object', properties: { data: { type: ['object', 'null'] }, errors: ERRORS } },
    },
  },
  error: { title: 'The subscription is refused, or ends.', by: 'server', payload: { id: ID, payload: ERRORS } },
  complete: { title: 'The subscription ends.', by: 'both', payload: { id: ID } },
  ping: {
    title: 'A sign of life, to be answered. The server tells how far a client that missed nothing has come.',
    by: 'both',
    payload: { payload: { type: 'object', properties: { cursor: { $ref: '#/components/schemas/EventCursor' } } } },
  },
  pong: { title: 'The answer to it.', by: 'both', payload: { payload: { type: 'object' } } },
};

/** What may be left out of a message. */
const OPTIONAL = new Set(['connection_init', 'ping', 'pong']);

function frame(type: string, payload: { [key: string]: JsonSchema }): JsonSchema {
  const properties = { type: { const: type }, ...payload };
  return { type: 'object', required: OPTIONAL.has(type) ? ['type'] : Object.keys(properties), properties };
}
