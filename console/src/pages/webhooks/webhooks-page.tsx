import { type FormEvent, useState } from 'react';
import { CreateWebhookEndpointDocument, WebhookEndpointsDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { Link, pathOf } from '../../router.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { Field } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Time } from '../../ui/time.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointPage } from './endpoint-page.tsx';

export function WebhooksPage({ segments: [endpointId] }: { segments: string[] }) {
  return endpointId === undefined ? <Endpoints /> : <EndpointPage endpointId={endpointId} />;
}

function Endpoints() {
  const [created, setCreated] = useState(0);
  return (
    <Page title="Webhooks" about="Endpoints to which the gateway sends events, signed and retried.">
      <ConnectionTable
        key={created}
        label="Webhook endpoints"
        document={WebhookEndpointsDocument}
        filters={{}}
        connectionOf={({ webhookEndpoints }) => webhookEndpoints}
        keyOf={({ id }) => id}
        empty="There are no endpoints."
        columns={(reload) => [
          {
            title: 'URL',
            cell: ({ endpointId, url }) => <Link href={pathOf('webhooks', endpointId)}>{url}</Link>,
          },
          {
            title: 'State',
            cell: ({ enabled, disabledReason, failingSince }) => (
              <>
                <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : `Disabled: ${disabledReason}`}</Badge>
                {failingSince && (
                  <Badge tone="bad">
                    Failing since <Time value={failingSince} />
                  </Badge>
                )}
              </>
            ),
          },
          { title: 'Events', cell: ({ events }) => events.length },
          {
            title: 'Actions',
            isEnd: true,
            cell: (endpoint) => <EndpointActions endpoint={endpoint} onDone={reload} />,
          },
        ]}
      />
      <CreateEndpoint onDone={() => setCreated(created + 1)} />
    </Page>
  );
}

function CreateEndpoint({ onDone }: { onDone(): void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const { isRunning, run } = useAction();
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const events = String(values.get('events'))
      .split(/[\s,]+/)
      .filter(Boolean);
    const input = { url: String(values.get('url')), events };
    const isDone = await run(async () => {
      const { createWebhookEndpoint: result } = await execute(CreateWebhookEndpointDocument, { input });
      if (result.__typename === 'CreateWebhookEndpointPayload') setSecret(result.secret);
    }, 'The endpoint is added.');
    if (!isDone) return;
    form.reset();
    onDone();
  }
  return (
    <Card title="Add an endpoint">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <Field label="URL" name="url" type="url" required placeholder="https://example.com/hook" />
        <Field
          label="Events"
          name="events"
          required
          placeholder="v3.post.didCreate v3.comment.didCreate"
          hint="Names of events, separated by spaces."
        />
        <Button type="submit" look="primary" disabled={isRunning}>
          Add
        </Button>
      </form>
      {secret && <Secret label="Signing secret" value={secret} />}
    </Card>
  );
}
