import type { GraphQLSchema } from 'graphql';
import { subscriptionName } from '../../schema/event/event-type.ts';
import { EVENTS, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import type { Components, JsonSchema } from '../answer-schema.ts';
import { inputSchema } from '../input-schema.ts';
import { envelopeSchema } from '../realtime/event-schemas.ts';
import { realtimeParams } from '../realtime/realtime-params.ts';
import { EVENT_REQUEST, exampleOf, type Parts, ref, sentence } from './parts.ts';

/** One channel per event that clients can subscribe to: `GET /realtime/<event>`. */
export function realtimeParts(schema: GraphQLSchema, components: Components): Parts {
  const parts: Parts = { channels: {}, operations: {}, messages: {} };
  components.set('EventCursor', CURSOR);
  components.set('EventParameters', eventParameters());
  for (const name of REALTIME_NAMES) {
    const key = `realtime.${name}`;
    const { meaning, kind } = EVENTS[name];
    parts.messages[key] = {
      name,
      title: sentence(meaning),
      headers: { type: 'object', properties: { 'Event-Cursor': ref('schemas', 'EventCursor') } },
      payload: envelopeSchema(schema, name, components),
      bindings: { http: { statusCode: 200, bindingVersion: '0.3.0' } },
      ...exampleOf(key),
    };
    parts.channels[key] = {
      address: `/realtime/${name}`,
      title: name,
      description: `${sentence(meaning)} GraphQL subscription: \`${subscriptionName(name)}\`.`,
      servers: [{ $ref: '#/servers/gateway' }],
      messages: { event: ref('messages', key) },
      tags: [{ name: kind }],
    };
    parts.operations[key] = {
      action: 'send',
      channel: { $ref: `#/channels/${key}` },
      title: `Deliver ${name}`,
      description: OPERATION_DESCRIPTION,
      security: [ref('securitySchemes', 'bearer')],
      messages: [{ $ref: `#/channels/${key}/messages/event` }],
      bindings: { http: EVENT_REQUEST },
    };
  }
  return parts;
}

const OPERATION_DESCRIPTION =
  'With `Accept: text/event-stream`, a stream: each event has its cursor as the id, and `Last-Event-ID` works like `after`. An event named `error` with an id replaces an event that is too large or cannot be rendered; an `error` without an id ends the stream. Without that header, one event per response with its cursor in `Event-Cursor`, or 204 if there is none.';

const CURSOR: JsonSchema = {
  type: 'string',
  pattern: '^82[0-9A-F]+$',
  description: 'Position in the event log: pass it as `after` to resume.',
};

/** The query parameters of event requests over HTTP. */
function eventParameters(): JsonSchema {
  return { type: 'object', properties: inputSchema(realtimeParams).properties ?? {} };
}
