import type { GraphQLSchema } from 'graphql';
import type { Components, JsonSchema } from '../answer-schema.ts';
import { realtimeParts } from './realtime.ts';
import { socketParts } from './socket.ts';
import { webhookParts } from './webhooks.ts';

/** What a group of channels adds to the document. */
export interface Parts {
  channels: { [name: string]: JsonSchema };
  operations: { [name: string]: JsonSchema };
  messages: { [name: string]: JsonSchema };
}

/** Everything that a gateway tells of by itself as an AsyncAPI 3 document, printed from the catalogue of events. */
export function printAsyncApi(schema: GraphQLSchema): JsonSchema {
  const components: Components = new Map();
  const parts = [realtimeParts(schema, components), webhookParts(schema, components), socketParts()];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Colloquy events',
      version: '1',
      description:
        'Every committed change is an event, told once and in order to whoever may see it: as a stream or one at a time over HTTP, over a websocket as GraphQL, and to webhooks. Each has a cursor, after which a reader goes on without gap and without duplicate.',
      externalDocs: { description: 'Everything about events', url: 'http://localhost:4000/docs/events' },
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
  gateway: { host: 'localhost:4000', protocol: 'http', description: 'A gateway, as `PUBLIC_URL` has it.' },
  websocket: { host: 'localhost:4000', protocol: 'ws', description: 'The same gateway.' },
  receiver: {
    host: '{receiver}',
    protocol: 'https',
    description: "The integrator's own server, at the address that the webhook endpoint was made with.",
    variables: { receiver: { description: 'Host of the endpoint.', examples: ['hooks.example.com'] } },
  },
};

const SECURITY_SCHEMES: JsonSchema = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token; events are told as its user sees them.' },
  serverKey: {
    type: 'httpApiKey',
    in: 'header',
    name: 'X-Server-Key',
    description: 'The server key of the network; events are told as the application itself sees them.',
  },
};
