import { canManageWebhooks } from '../../src/access/webhook.ts';
import { viewerOf } from '../../src/context.ts';
import { type WebhookEndpoint as Endpoint, getWebhookEndpoint } from '../../src/domain/webhook/endpoint.ts';
import { builder } from '../builder.ts';
import { nodeType } from '../shared/node.ts';

export const WebhookEndpoint = nodeType<Endpoint>('WebhookEndpoint', {
  description:
    'Where events of the network are sent as HTTP requests. For whoever may both change roles and give them; to others there are none.',
  id: (endpoint) => endpoint.endpointId,
  load: (context, endpointId) => getWebhookEndpoint(context, { endpointId }),
  // Also of one that was removed since: the right alone decides.
  sees: async (context) => canManageWebhooks(viewerOf(context)),
});

export const WebhookMethod = builder.enumType('WebhookMethod', {
  description: 'HTTP method of webhook requests. Both carry a JSON body.',
  values: {
    POST: { description: 'Supported by every HTTP server. Default.' },
    GET: { description: 'A GET request with a body; many servers and proxies ignore or reject such a body.' },
  } as const,
});

const WebhookPayload = builder.enumType('WebhookPayload', {
  description: 'Source of the body of webhook requests.',
  values: {
    DOCUMENTED: { value: 'documented', description: 'The documented REST form: records in side arrays. Default.' },
    SELECTION: { value: 'selection', description: 'The result of the GraphQL document of the endpoint.' },
  } as const,
});

const WebhookDisabledReason = builder.enumType('WebhookDisabledReason', {
  description: 'Reason why a webhook endpoint is disabled.',
  values: {
    ADMIN: { value: 'admin', description: 'An administrator disabled it.' },
    FAILING: { value: 'failing', description: 'Every delivery failed for five days.' },
    GONE: { value: 'gone', description: 'The receiver answered 410 (Gone).' },
  } as const,
});

const WebhookSecret = builder.objectRef<Endpoint['secrets'][number]>('WebhookSecret').implement({
  description: 'A secret that deliveries are signed with. What it is was told when it was made.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it is used beside a newer one; null: until it is replaced.',
    }),
  }),
});

builder.objectFields(WebhookEndpoint, (t) => ({
  endpointId: t.exposeString('endpointId', { description: 'Public id.' }),
  url: t.exposeString('url', { description: 'Where to.' }),
  events: t.exposeStringList('events', { description: 'Names of what it is told, such as `v3.post.didCreate`.' }),
  method: t.expose('method', { type: WebhookMethod, description: 'HTTP method.' }),
  hasAccessToken: t.exposeBoolean('hasAccessToken', {
    description: 'Whether the two push notifications carry an `Authorization` header.',
  }),
  payload: t.expose('payload', { type: WebhookPayload, description: 'What the body is.' }),
  selection: t.exposeString('selection', {
    nullable: true,
    description: 'The GraphQL document that selects the body; null where the body is the documented one.',
  }),
  secrets: t.expose('secrets', { type: [WebhookSecret], description: 'What it signs with, the newest first.' }),
  enabled: t.exposeBoolean('enabled', { description: 'Whether anything is sent.' }),
  disabledReason: t.expose('disabledReason', {
    type: WebhookDisabledReason,
    nullable: true,
    description: 'Why it is disabled.',
  }),
  disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true, description: 'Since when it is disabled.' }),
  failingSince: t.expose('failingSince', {
    type: 'DateTime',
    nullable: true,
    description: 'Since when nothing could be delivered; after five days of that it is disabled.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
}));
