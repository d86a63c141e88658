import { OverviewDocument, type OverviewQuery } from '../../../generated/operations.ts';
import { usePolling } from '../../api/use-polling.ts';
import { useQuery } from '../../api/use-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { bytes, integer, milliseconds } from '../../ui/units.ts';
import { useSamples } from './use-samples.ts';

type Status = OverviewQuery['serverStatus'];

/** Interval of the queries in seconds: the server counts its traffic in periods of this length. */
const INTERVAL_SECONDS = 10;

/** Health and load of the server, updated while the page is visible. */
export function OverviewPage() {
  const { data, error, reload } = useQuery(OverviewDocument, {});
  usePolling(reload, INTERVAL_SECONDS * 1_000);
  const status = data?.serverStatus ?? null;
  const samples = useSamples(status);
  return (
    <Page title="Overview" about={`Updated every ${INTERVAL_SECONDS} seconds while this page is visible.`}>
      {error && <ErrorState message={error} onRetry={reload} />}
      {status && <Health status={status} />}
      {status && <Charts status={status} samples={samples} />}
      {status && <Details status={status} />}
      {!status && !error && <Loading />}
    </Page>
  );
}

function Health({ status: { database, version, startedAt, processes } }: { status: Status }) {
  return (
    <Card>
      <p className="actions">
        <Badge tone={database.isReady ? 'good' : 'bad'}>
          {database.isReady ? 'The database is available' : 'The database is not available'}
        </Badge>
        {database.isReadOnly && <Badge tone="bad">Writes are rejected</Badge>}
        <span>
          Version {version}, {processes === 1 ? 'one process' : `${processes} processes`}, started{' '}
          <Time value={startedAt} />
        </span>
      </p>
      {database.problem && (
        <p className="message" role="alert">
          {database.problem}
        </p>
      )}
    </Card>
  );
}

function Charts({ status: { traffic }, samples }: { status: Status; samples: readonly Status[] }) {
  const perSecond = { unit: 'per second', stepSeconds: traffic.periodSeconds };
  const sampled = { stepSeconds: INTERVAL_SECONDS, format: integer };
  return (
    <div className="charts">
      <Chart title="Requests" values={traffic.requests} {...perSecond} />
      <Chart title="Events" values={traffic.events} {...perSecond} />
      <Chart title="Answers with an error" values={traffic.errors} tone="warning" {...perSecond} />
      <Chart title="Faults of the server" values={traffic.serverErrors} tone="bad" {...perSecond} />
      <Chart title="WebSockets" values={samples.map(({ sockets }) => sockets)} {...sampled} />
      <Chart
        title="Webhook backlog"
        unit="deliveries"
        values={samples.map(({ webhookBacklog }) => webhookBacklog)}
        {...sampled}
      />
      <Chart
        title="Event loop delay"
        unit="99th percentile"
        values={samples.map(({ eventLoop }) => eventLoop.p99Ms)}
        stepSeconds={INTERVAL_SECONDS}
        format={milliseconds}
      />
      <Chart
        title="Memory"
        unit="resident"
        values={samples.map(({ residentMemoryBytes }) => residentMemoryBytes)}
        stepSeconds={INTERVAL_SECONDS}
        format={bytes}
      />
    </div>
  );
}

function Details({ status: { database, eventLoop, ...status } }: { status: Status }) {
  const details: ReadonlyArray<readonly [name: string, value: string]> = [
    ['Database', database.kind],
    ['Data and indexes', database.bytes === null ? 'unknown' : bytes(database.bytes)],
    ['Live connections', integer(status.liveConnections)],
    ['Subscriptions', integer(status.subscriptions)],
    ['JavaScript heap', bytes(status.heapUsedBytes)],
    ['Event loop, busy', `${Math.round(eventLoop.utilization * 100)} %`],
    ['Event loop, median delay', milliseconds(eventLoop.medianMs)],
    ['Event loop, longest delay', milliseconds(eventLoop.maxMs)],
  ];
  return (
    <Card title="Now">
      <dl className="figures">
        {details.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
