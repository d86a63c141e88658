import type { GraphQLSchema } from 'graphql';
import { EVENTS } from '../../src/events/catalogue.ts';
import { carriesToken, eventsBehind, WEBHOOK_NAMES } from '../../src/webhooks/names.ts';
import type { Components, JsonSchema } from '../answer-schema.ts';
import { deliverySchema } from '../realtime/event-schemas.ts';
import type { Parts } from './asyncapi.ts';
import { exampleOf, LISTENING, ref, sentence } from './realtime.ts';

/** A channel for each webhook, sent to the receivers that asked for it, and one by which all of them are asked for. */
export function webhookParts(schema: GraphQLSchema, components: Components): Parts {
  const parts: Parts = { channels: {}, operations: {}, messages: {} };
  components.set('WebhookHeaders', HEADERS);
  components.set('PushWebhookHeaders', PUSH_HEADERS);
  for (const name of WEBHOOK_NAMES) {
    const key = `webhook.${name.replace('/', '.')}`;
    const events = eventsBehind(name);
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
      description: `Sent to the address of each webhook endpoint that asked for \`${name}\`, when ${events.map((event) => `\`${event}\``).join(' or ')} happens.`,
      servers: [{ $ref: '#/servers/receiver' }],
      messages: { delivery: ref('messages', key) },
      tags: [{ name: EVENTS[events[0]!].kind }],
    };
    parts.operations[key] = {
      action: 'send',
      channel: { $ref: `#/channels/${key}` },
      title: `Deliver ${name}`,
      description: DELIVERED,
      messages: [{ $ref: `#/channels/${key}/messages/delivery` }],
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
    };
  }
  addPull(parts);
  return parts;
}

const DELIVERED =
  'Any 2xx takes it. Anything else is tried again, 10 times over 3 days; 410 ends the endpoint, 429 and 503 name their own time by `Retry-After`. A `webhook-id` that was seen before is the same event once more. An endpoint may be made with GET for its method.';

/** For those who cannot be called. */
function addPull({ channels, operations }: Parts): void {
  channels['webhook-pull'] = {
    address: '/webhook/{name}',
    title: 'Pull of webhooks',
    description: 'What a webhook is sent, asked for by the application itself, as a stream or one at a time.',
    servers: [{ $ref: '#/servers/gateway' }],
    parameters: { name: { description: 'Name of the webhook.', enum: [...WEBHOOK_NAMES] } },
    messages: {
      delivery: {
        name: 'webhook',
        title: 'What a webhook is sent.',
        headers: { type: 'object', properties: { 'Event-Cursor': ref('schemas', 'EventCursor') } },
        payload: { oneOf: WEBHOOK_NAMES.map((name) => ref('schemas', `webhook.${name.replace('/', '.')}`)) },
      },
    },
  };
  operations['webhook-pull'] = {
    action: 'send',
    channel: { $ref: '#/channels/webhook-pull' },
    title: 'Answer who pulls',
    security: [ref('securitySchemes', 'serverKey'), ref('securitySchemes', 'bearer')],
    messages: [{ $ref: '#/channels/webhook-pull/messages/delivery' }],
    bindings: { http: LISTENING },
  };
}

const SIGNED = {
  'webhook-id': { type: 'string', pattern: '^msg_[0-9a-f]{24}$', description: 'The same for each attempt.' },
  'webhook-timestamp': { type: 'string', pattern: '^[0-9]+$', description: 'Seconds since 1970, of this attempt.' },
  'webhook-signature': {
    type: 'string',
    pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$',
    description:
      'Standard Webhooks: base64 of the HMAC-SHA256 of `<id>.<timestamp>.<body>`, one for each secret in force.',
  },
  'x-amity-signature': {
    type: 'string',
    pattern: '^[A-Za-z0-9+/]+=*$',
    description: 'Base64 of the HMAC-SHA256 of the body by the newest secret, as text.',
  },
} as const;

const HEADERS: JsonSchema = { type: 'object', required: Object.keys(SIGNED), properties: SIGNED };

const PUSH_HEADERS: JsonSchema = {
  type: 'object',
  required: Object.keys(SIGNED),
  properties: {
    ...SIGNED,
    authorization: {
      type: 'string',
      pattern: '^Bearer .+$',
      description: "The endpoint's access token, if it has one.",
    },
  },
};
