import { TokenSecretsDocument } from '../../../generated/operations.ts';
import { useQuery } from '../../api/use-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table } from '../../ui/connection-table.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

interface TokenSecret {
  name: string;
  /** Signs new tokens. */
  signs: boolean;
  until: string | null;
  hasEnded: boolean;
}

const CURRENT: TokenSecret = { name: 'TOKEN_SECRET', signs: true, until: null, hasEnded: false };

/** The secrets with which the gateway verifies tokens: several during a rotation. */
export function TokenSecrets() {
  const query = useQuery(TokenSecretsDocument, {});
  return (
    <Card title="Secrets of access tokens">
      <QueryView query={query}>
        {({ serverStatus: { acceptedTokenSecrets: accepted } }) => (
          <>
            <p className="muted">
              They are in the configuration of the gateways.{' '}
              {accepted.length === 0
                ? 'No other secret is accepted.'
                : 'A rotation is complete when no other secret is accepted.'}
            </p>
            <Table
              label="Secrets of access tokens"
              nodes={[CURRENT, ...accepted.map((secret, index) => ({ ...secret, name: nameOf(index), signs: false }))]}
              keyOf={({ name }) => name}
              columns={[
                { title: 'Setting', cell: ({ name }) => <code>{name}</code> },
                { title: 'Use', cell: ({ signs }) => (signs ? 'Signs and verifies' : 'Verifies') },
                { title: 'State', cell: (secret) => <SecretState secret={secret} /> },
              ]}
            />
          </>
        )}
      </QueryView>
    </Card>
  );
}

const nameOf = (index: number): string => `TOKEN_SECRET_ACCEPTED, ${index + 1}`;

function SecretState({ secret: { signs, until, hasEnded } }: { secret: TokenSecret }) {
  if (signs) return <Badge tone="good">Valid</Badge>;
  if (until === null) return <Badge tone="warning">Accepted without an end</Badge>;
  return (
    <>
      <Badge tone={hasEnded ? 'neutral' : 'warning'}>{hasEnded ? 'Ended' : 'Ends'}</Badge>
      <Time value={until} />
    </>
  );
}
