import type { GraphQLSchema } from 'graphql';
import { EVENTS, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import { eventTypesOf, WEBHOOK_NAMES } from '../../src/webhooks/names.ts';
import type { Components, JsonSchema } from '../answer-schema.ts';
import { inputSchema } from '../input-schema.ts';
import { deliverySchema, envelopeSchema } from './event-schemas.ts';
import { realtimeParams } from './realtime-params.ts';

/** OpenAPI paths of events, generated from the event catalogue. */
export function eventPaths(
  schema: GraphQLSchema,
  components: Components,
): { [path: string]: { [method: string]: JsonSchema } } {
  const realtime = REALTIME_NAMES.map((name) => {
    const body = envelopeSchema(schema, name, components);
    return [`/realtime/${name}`, { get: eventOperation(name, REALTIME, body) }] as const;
  });
  const webhooks = WEBHOOK_NAMES.map((name) => {
    const body = deliverySchema(schema, name, components);
    return [`/webhook/${name}`, { get: eventOperation(name, WEBHOOK, body) }] as const;
  });
  return Object.fromEntries([...realtime, ...webhooks]);
}

interface EventTransport {
  tag: string;
  description: string;
  meaningOf(name: string): string;
  security: JsonSchema[];
}

const REALTIME: EventTransport = {
  tag: 'realtime',
  description: 'The newest event that the viewer can see, or the next one after a cursor.',
  meaningOf: (name) => EVENTS[name as keyof typeof EVENTS].meaning,
  security: [{ bearer: [] }],
};

const WEBHOOK: EventTransport = {
  tag: 'webhook',
  description: 'The payload that a webhook receives, for clients that poll.',
  meaningOf: (name) =>
    eventTypesOf(name)
      .map((event) => EVENTS[event].meaning)
      .join('; or '),
  security: [{ serverKey: [] }, { bearer: [] }],
};

function eventOperation(
  name: string,
  { tag, description, meaningOf, security }: EventTransport,
  body: JsonSchema,
): JsonSchema {
  const meaning = meaningOf(name);
  return {
    operationId: `${tag}${name.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tag],
    summary: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`,
    description,
    security,
    parameters: Object.keys(EVENT_COMPONENTS.parameters).map((key) => ({ $ref: `#/components/parameters/${key}` })),
    responses: {
      200: {
        description: 'The event. With `Accept: text/event-stream`, a stream of events, each with its cursor as the id.',
        headers: { 'Event-Cursor': { $ref: '#/components/headers/EventCursor' } },
        content: { 'application/json': { schema: body }, 'text/event-stream': { schema: { type: 'string' } } },
      },
      204: { $ref: '#/components/responses/NoEvent' },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const EVENT_CURSOR: JsonSchema = {
  description: 'Pass it as `after` to receive the next event.',
  schema: { type: 'string', pattern: '^82[0-9A-F]+$' },
};

export const EVENT_COMPONENTS = {
  securitySchemes: { serverKey: { type: 'apiKey', in: 'header', name: 'X-Server-Key' } },
  headers: { EventCursor: EVENT_CURSOR },
  parameters: Object.fromEntries([
    ...Object.entries(inputSchema(realtimeParams).properties ?? {}).map(([name, { description, ...field }]) => [
      `Events-${name}`,
      { name, in: 'query', required: false, description, schema: field },
    ]),
    [
      'Events-Last-Event-ID',
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description:
          'For streams: cursor to resume after. Takes precedence over `after`, because a reconnecting browser repeats the original URL.',
        schema: { type: 'string' },
      },
    ],
  ]),
  responses: {
    NoEvent: {
      description: 'There is no such event, or none was committed within `wait` seconds.',
      headers: { 'Event-Cursor': { $ref: '#/components/headers/EventCursor' } },
    },
  },
};
