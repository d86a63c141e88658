import {
  DeleteWebhookEndpointDocument,
  DisableWebhookEndpointDocument,
  EnableWebhookEndpointDocument,
  SendTestPingDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';

interface EndpointActionsProps {
  endpoint: { endpointId: string; url: string; enabled: boolean };
  onDone(): void;
}

export function EndpointActions({ endpoint: { endpointId, url, enabled }, onDone }: EndpointActionsProps) {
  const { isRunning, run } = useAction();
  const input = { endpointId };
  const ping = () => run(() => execute(SendTestPingDocument, { input }), 'A test delivery is queued.');
  return (
    <div className="actions">
      <Button className="small" disabled={isRunning || !enabled} onClick={() => void ping()}>
        Send a test
      </Button>
      <ConfirmButton
        label={enabled ? 'Disable' : 'Enable'}
        isSmall
        title={`${enabled ? 'Disable' : 'Enable'} ${url}?`}
        success={enabled ? 'The endpoint is disabled.' : 'The endpoint is enabled.'}
        act={() =>
          enabled
            ? execute(DisableWebhookEndpointDocument, { input })
            : execute(EnableWebhookEndpointDocument, { input })
        }
        onDone={onDone}
      >
        {enabled ? 'It receives no events until it is enabled.' : 'It receives events from now on.'}
      </ConfirmButton>
      <ConfirmButton
        label="Delete"
        isSmall
        isDanger
        title={`Delete ${url}?`}
        success="The endpoint is deleted."
        act={() => execute(DeleteWebhookEndpointDocument, { input })}
        onDone={onDone}
      >
        Its deliveries are deleted too.
      </ConfirmButton>
    </div>
  );
}
