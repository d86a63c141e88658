import { type FormEvent, useState } from 'react';
import { CreateKeyDocument, type NetworkKeyKind, NetworkKeysDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { useQuery } from '../../api/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/connection-table.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Secret } from '../../ui/secret.tsx';
import { QueryView } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { KeyActions, type NewKey } from './key-actions.tsx';
import { KeyName, KeyState } from './key-state.tsx';
import { TokenSecrets } from './token-secrets.tsx';

const KINDS: ReadonlyArray<readonly [NetworkKeyKind, string]> = [
  ['API', 'API key, for client applications'],
  ['SERVER', 'Server key, for your own servers'],
];

/** The keys of the network. The value of a new one is shown until the page is left. */
export function Keys() {
  const query = useQuery(NetworkKeysDocument, {});
  const [created, setCreated] = useState<NewKey | null>(null);
  function show(key: NewKey): void {
    setCreated(key);
    query.reload();
  }
  return (
    <>
      {created && <Secret key={created.value} label={`Value of the key ${created.name}`} value={created.value} />}
      <QueryView query={query}>
        {({ networkKeys }) => (
          <Table
            label="Keys"
            nodes={networkKeys}
            keyOf={({ keyId }) => keyId}
            columns={[
              { title: 'Name', cell: (key) => <KeyName networkKey={key} /> },
              { title: 'Kind', cell: ({ kind }) => (kind === 'API' ? 'API key' : 'Server key') },
              { title: 'State', cell: (key) => <KeyState networkKey={key} /> },
              {
                title: 'Last used',
                cell: ({ lastUsedAt }) =>
                  lastUsedAt ? <Time value={lastUsedAt} /> : <span className="muted">never</span>,
              },
              { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
              { title: 'By', cell: ({ createdBy }) => createdBy ?? <span className="muted">the configuration</span> },
              {
                title: 'Actions',
                isEnd: true,
                cell: (key) => <KeyActions networkKey={key} onRotate={show} onChange={query.reload} />,
              },
            ]}
          />
        )}
      </QueryView>
      <CreateKey onDone={show} />
      <TokenSecrets />
    </>
  );
}

function CreateKey({ onDone }: { onDone(key: NewKey): void }) {
  const [kind, setKind] = useState<NetworkKeyKind>('API');
  const { isRunning, run } = useAction();
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name')).trim();
    await run(async () => {
      const { createKey } = await execute(CreateKeyDocument, { input: { kind, name } });
      if (createKey.__typename !== 'CreateKeyPayload' || createKey.value === null) return;
      form.reset();
      onDone({ name, value: createKey.value });
    }, 'The key is created.');
  }
  return (
    <Card title="Create a key">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <Select label="Kind" options={KINDS} value={kind} onChange={(value) => setKind(value as NetworkKeyKind)} />
        <Field label="Name" name="name" required maxLength={100} autoComplete="off" placeholder="Web application" />
        <Button type="submit" look="primary" disabled={isRunning}>
          Create
        </Button>
      </form>
    </Card>
  );
}
