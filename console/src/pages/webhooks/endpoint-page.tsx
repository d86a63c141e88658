import { useState } from 'react';
import {
  ReplayWebhookDeliveryDocument,
  RotateWebhookSecretDocument,
  WebhookDeliveriesDocument,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryState,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { Link, pathOf } from '../../router.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Time } from '../../ui/time.tsx';

type Delivery = NonNullable<WebhookDeliveriesQuery['webhookEndpoint']>['deliveries']['edges'][number]['node'];

const TONES: { [State in WebhookDeliveryState]: Tone } = {
  DELIVERED: 'good',
  DROPPED: 'neutral',
  FAILED: 'bad',
  PENDING: 'info',
};

const STATES: ReadonlyArray<readonly [WebhookDeliveryState | '', string]> = [
  ['', 'All deliveries'],
  ['DELIVERED', 'Delivered'],
  ['PENDING', 'Pending'],
  ['FAILED', 'Failed'],
  ['DROPPED', 'Dropped'],
];

/** The deliveries of an endpoint with their attempts. */
export function EndpointPage({ endpointId }: { endpointId: string }) {
  const [state, setState] = useState<WebhookDeliveryState | ''>('');
  const [secret, setSecret] = useState<string | null>(null);
  async function rotate(): Promise<void> {
    const { rotateWebhookSecret: result } = await execute(RotateWebhookSecretDocument, { input: { endpointId } });
    if (result.__typename === 'RotateWebhookSecretPayload') setSecret(result.secret);
  }
  return (
    <Page
      title="Webhook endpoint"
      about={<Link href={pathOf('webhooks')}>All endpoints</Link>}
      actions={
        <ConfirmButton
          label="Rotate secret"
          title="Create a new signing secret?"
          success="The secret is rotated."
          act={rotate}
        >
          Requests are signed with the old and the new secret for a while, so that the receiver can change over.
        </ConfirmButton>
      }
    >
      {secret && <Secret label="Signing secret" value={secret} />}
      <div className="toolbar">
        <Select label="State" options={STATES} value={state} onChange={(value) => setState(value as typeof state)} />
      </div>
      <ConnectionTable
        label="Deliveries"
        document={WebhookDeliveriesDocument}
        filters={{ endpointId, state: state || null }}
        connectionOf={({ webhookEndpoint }) => webhookEndpoint?.deliveries}
        keyOf={({ id }) => id}
        empty="There are no deliveries."
        columns={(reload) => [
          { title: 'Event', cell: ({ event }) => <code>{event}</code> },
          { title: 'State', cell: (delivery) => <Badge tone={TONES[delivery.state]}>{delivery.state}</Badge> },
          { title: 'Queued', cell: ({ createdAt }) => <Time value={createdAt} /> },
          { title: 'Attempts', cell: (delivery) => <Attempts delivery={delivery} /> },
          {
            title: 'Actions',
            isEnd: true,
            cell: ({ deliveryId }) => (
              <ConfirmButton
                label="Replay"
                isSmall
                title="Send this delivery again?"
                success="The delivery is queued."
                act={() => execute(ReplayWebhookDeliveryDocument, { input: { deliveryId } })}
                onDone={reload}
              >
                It keeps its webhook-id, so that receivers recognize the duplicate.
              </ConfirmButton>
            ),
          },
        ]}
      />
    </Page>
  );
}

function Attempts({ delivery: { attemptCount, attempts } }: { delivery: Delivery }) {
  if (attempts.length === 0) return attemptCount;
  return (
    <details>
      <summary>{attemptCount}</summary>
      <ul>
        {attempts.map(({ attemptedAt, status, error, durationMs }) => (
          <li key={attemptedAt}>
            <Time value={attemptedAt} />: {status ?? 'no response'}, {durationMs} ms {error}
          </li>
        ))}
      </ul>
    </details>
  );
}
