import { canManageWebhooks } from '../../src/access/webhook.ts';
import { viewerOf } from '../../src/context.ts';
import { type WebhookEndpoint as Endpoint, getWebhookEndpoint } from '../../src/domain/webhook/endpoint.ts';
import { builder } from '../builder.ts';
import { nodeType } from '../shared/node.ts';

export const WebhookEndpoint = nodeType<Endpoint>('WebhookEndpoint', {
  description:
    'An endpoint to which events of the network are sent as HTTP requests. Visible to users who can both edit and assign roles.',
  id: 'endpointId',
  load: (context, endpointId) => getWebhookEndpoint(context, { endpointId }),
  // Deleted endpoints remain visible in repeated responses: only the permission decides.
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
    GONE: { value: 'gone', description: 'The receiver responded with 410 (Gone).' },
  } as const,
});

const WebhookSecret = builder.objectRef<Endpoint['secrets'][number]>('WebhookSecret').implement({
  description: 'A signing secret. Its value is returned only by the mutation that creates it.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time until which deliveries are signed with it in addition to a newer secret; null for the current secret.',
    }),
  }),
});

builder.objectFields(WebhookEndpoint, (t) => ({
  endpointId: t.exposeString('endpointId', { description: 'Public id.' }),
  url: t.exposeString('url', { description: 'URL.' }),
  events: t.exposeStringList('events', {
    description: 'Names of the events that are sent, such as `v3.post.didCreate`.',
  }),
  method: t.expose('method', { type: WebhookMethod, description: 'HTTP method.' }),
  hasAccessToken: t.exposeBoolean('hasAccessToken', {
    description: 'Whether requests for the two `push-notification/…` events carry an `Authorization` header.',
  }),
  payload: t.expose('payload', { type: WebhookPayload, description: 'Source of the request body.' }),
  selection: t.exposeString('selection', {
    nullable: true,
    description: 'GraphQL document that selects the request body; null for the documented REST form.',
  }),
  secrets: t.expose('secrets', { type: [WebhookSecret], description: 'Signing secrets, newest first.' }),
  enabled: t.exposeBoolean('enabled', { description: 'Whether the endpoint is enabled.' }),
  disabledReason: t.expose('disabledReason', {
    type: WebhookDisabledReason,
    nullable: true,
    description: 'Reason why it is disabled; null if it is enabled.',
  }),
  disabledAt: t.expose('disabledAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time at which it was disabled; null if it is enabled.',
  }),
  failingSince: t.expose('failingSince', {
    type: 'DateTime',
    nullable: true,
    description:
      'Time since which every delivery has failed; null if the latest succeeded. After five days the endpoint is disabled.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
}));
