import type { GraphQLSchema } from 'graphql';
import { EVENTS } from '../../src/events/catalogue.ts';
import { carriesToken, eventTypesOf, WEBHOOK_NAMES } from '../../src/webhooks/names.ts';
import type { Components, JsonSchema } from '../answer-schema.ts';
import { deliverySchema } from '../realtime/event-schemas.ts';
import { EVENT_REQUEST, exampleOf, type Parts, ref, sentence } from './parts.ts';

/** One channel per webhook, and one channel for clients that poll webhooks. */
export function webhookParts(schema: GraphQLSchema, components: Components): Parts {
  const parts: Parts = { channels: {}, operations: {}, messages: {} };
  components.set('WebhookHeaders', HEADERS);
  components.set('PushWebhookHeaders', PUSH_HEADERS);
  for (const name of WEBHOOK_NAMES) {
    const key = `webhook.${name.replace('/', '.')}`;
    const events = eventTypesOf(name);
    components.set(key, deliverySchema(schema, name, components));
    parts.messages[key] = {
      name,
      title: sentence(events.map((event) => EVENTS[event].meaning).join('; or ')),
      headers: ref('schemas', carriesToken(name) ? 'PushWebhookHeaders' : 'WebhookHeaders'),
      payload: ref('schemas', key),
      ...exampleOf(key),
    };
    parts.channels[key] = {
      address: null,
      title: name,
      description: `Sent to each webhook endpoint that subscribes to \`${name}\`, when ${events.map((event) => `\`${event}\``).join(' or ')} occurs.`,
      servers: [{ $ref: '#/servers/receiver' }],
      messages: { delivery: ref('messages', key) },
      tags: [{ name: EVENTS[events[0]!].kind }],
    };
    parts.operations[key] = {
      action: 'send',
      channel: { $ref: `#/channels/${key}` },
      title: `Deliver ${name}`,
      description: OPERATION_DESCRIPTION,
      messages: [{ $ref: `#/channels/${key}/messages/delivery` }],
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
    };
  }
  addPolling(parts);
  return parts;
}

const OPERATION_DESCRIPTION =
  'Any 2xx response acknowledges the delivery. Other responses are retried, 10 times over 3 days. 410 disables the endpoint; 429 and 503 may set the delay with `Retry-After`. A repeated `webhook-id` marks a duplicate of the same event. Endpoints may be created with the method GET.';

/** Adds the channel of applications that poll for deliveries, because they cannot receive requests. */
function addPolling({ channels, operations }: Parts): void {
  channels['webhook-pull'] = {
    address: '/webhook/{name}',
    title: 'Webhooks by polling',
    description: 'The payloads of a webhook, which an application requests as a stream or one at a time.',
    servers: [{ $ref: '#/servers/gateway' }],
    parameters: { name: { description: 'Name of the webhook.', enum: [...WEBHOOK_NAMES] } },
    messages: {
      delivery: {
        name: 'webhook',
        title: 'Payload of a webhook.',
        headers: { type: 'object', properties: { 'Event-Cursor': ref('schemas', 'EventCursor') } },
        payload: { oneOf: WEBHOOK_NAMES.map((name) => ref('schemas', `webhook.${name.replace('/', '.')}`)) },
      },
    },
  };
  operations['webhook-pull'] = {
    action: 'send',
    channel: { $ref: '#/channels/webhook-pull' },
    title: 'Deliver to a polling application',
    security: [ref('securitySchemes', 'serverKey'), ref('securitySchemes', 'bearer')],
    messages: [{ $ref: '#/channels/webhook-pull/messages/delivery' }],
    bindings: { http: EVENT_REQUEST },
  };
}

const SIGNATURE_HEADERS = {
  'webhook-id': {
    type: 'string',
    pattern: '^msg_[0-9a-f]{24}$',
    description: 'Id of the delivery, the same for each attempt and replay: receivers detect duplicates by it.',
  },
  'webhook-timestamp': {
    type: 'string',
    pattern: '^[0-9]+$',
    description: 'Time of this attempt as a Unix time in seconds.',
  },
  'webhook-signature': {
    type: 'string',
    pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$',
    description:
      'Standard Webhooks: base64 of the HMAC-SHA256 of `<id>.<timestamp>.<body>`, one for each active secret.',
  },
  'x-amity-signature': {
    type: 'string',
    pattern: '^[A-Za-z0-9+/]+=*$',
    description: 'Base64 of the HMAC-SHA256 of the body, keyed with the text of the newest secret.',
  },
} as const;

const HEADERS: JsonSchema = { type: 'object', required: Object.keys(SIGNATURE_HEADERS), properties: SIGNATURE_HEADERS };

const PUSH_HEADERS: JsonSchema = {
  type: 'object',
  required: Object.keys(SIGNATURE_HEADERS),
  properties: {
    ...SIGNATURE_HEADERS,
    authorization: {
      type: 'string',
      pattern: '^Bearer .+$',
      description: 'The access token of the endpoint, if it has one.',
    },
  },
};
