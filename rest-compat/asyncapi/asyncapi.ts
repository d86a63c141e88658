import type { GraphQLSchema } from 'graphql';
import type { Components, JsonSchema } from '../answer-schema.ts';
import { mqttParts } from './mqtt.ts';
import { realtimeParts } from './realtime.ts';
import { socketParts } from './socket.ts';
import { webhookParts } from './webhooks.ts';

/** Prints the AsyncAPI 3 document of all events, generated from the event catalogue. */
export function printAsyncApi(schema: GraphQLSchema): JsonSchema {
  const components: Components = new Map();
  const parts = [realtimeParts(schema, components), webhookParts(schema, components), socketParts(), mqttParts()];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Colloquy events',
      version: '1',
      description:
        'Every committed change is an event. Events are delivered once, in commit order, to users with access: over HTTP as a stream or by long polling, over WebSocket as GraphQL subscriptions or MQTT, and to webhooks. Each event has a cursor, from which clients resume without gaps or duplicates.',
      externalDocs: { description: 'Guide and reference of events', url: 'http://localhost:4000/docs/events' },
    },
    defaultContentType: 'application/json',
    servers: SERVERS,
    channels: Object.assign({}, ...parts.map(({ channels }) => channels)),
    operations: Object.assign({}, ...parts.map(({ operations }) => operations)),
    components: {
      messages: Object.assign({}, ...parts.map(({ messages }) => messages)),
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const SERVERS: JsonSchema = {
  gateway: { host: 'localhost:4000', protocol: 'http', description: 'A gateway at its `PUBLIC_URL`.' },
  websocket: { host: 'localhost:4000', protocol: 'ws', description: 'The same gateway over WebSocket.' },
  mqtt: {
    host: 'localhost:4000',
    pathname: '/mqtt',
    protocol: 'mqtt',
    protocolVersion: '3.1.1',
    description: 'The same gateway with MQTT over WebSocket.',
  },
  receiver: {
    host: '{receiver}',
    protocol: 'https',
    description: "The integrator's server, at the URL of the webhook endpoint.",
    variables: { receiver: { description: 'Host of the endpoint.', examples: ['hooks.example.com'] } },
  },
};

const SECURITY_SCHEMES: JsonSchema = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token. Events are delivered with the rights of its user.',
  },
  mqttToken: {
    type: 'userPassword',
    description: 'An access token as the password. The user name is optional: the internal or public id of its user.',
  },
  serverKey: {
    type: 'httpApiKey',
    in: 'header',
    name: 'X-Server-Key',
    description: 'The server key of the network. Events are delivered with the rights of the application.',
  },
};
