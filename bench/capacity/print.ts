import { table } from '../../scripts/markdown.ts';
import { faultsOfRuns } from './faults.ts';
import type { CapacityReport } from './measure.ts';
import {
  type Capacity,
  capacityFor,
  demandOf,
  eventsAtShare,
  type Inputs,
  KNOWN,
  OPERATIONS,
  USERS,
  WORKLOAD,
} from './model.ts';
import { faultsOfSimulations, type Simulated } from './scenarios.ts';
import { fallsBehind } from './simulate.ts';

/** Markdown tables of a report, by the name of their section in docs/capacity.md. */
export function capacityTables(report: CapacityReport): Record<string, string> {
  const { inputs } = report;
  return {
    run: `Measured on ${report.date}: ${report.machine}; load average ${report.loadBefore} before the run and ${report.loadAfter} after it. ${noteOn(report)}`,
    operations: table(
      ['operation', 'per user and minute', 'low load, gateway + store', 'full load, gateway + store', 'events'],
      OPERATIONS.map((operation) => [
        `\`${operation}\``,
        String(WORKLOAD.perMinute[operation]),
        `${inputs.light[operation].gatewayUs} + ${inputs.light[operation].storeUs} µs`,
        `${inputs.busy[operation].gatewayUs} + ${inputs.busy[operation].storeUs} µs`,
        inputs.events[operation].toFixed(1),
      ]),
    ),
    inputs: table(['input', 'value'], inputRows(inputs)),
    known: table(['figure', 'value', 'source'], knownRows()),
    assumptions: table(['assumption', 'value'], assumptionRows()),
    checks: `${table(
      ['workers', 'requests', 'per second', 'gateway: model ÷ measured', 'store: model ÷ measured', 'tolerance'],
      report.checks.map(({ workers, users, connections, requestsPerSecond, model, measured, tolerance }) => [
        String(workers),
        users === null ? `as many as ${connections} connections get answered` : `of ${count(users)} users at the peak`,
        count(requestsPerSecond),
        comparison(model.gatewayUs, measured.gatewayUs),
        comparison(model.storeUs, measured.storeUs),
        `${(1 - tolerance).toFixed(2)}–${(1 + tolerance).toFixed(2)}`,
      ]),
    )}\n\n${verdict(faultsOfRuns(report))}`,
    simulations: `${simulationTable(report.simulations)}\n\n${verdict(faultsOfSimulations(report.simulations))}`,
    capacity: capacityTable(USERS.map((users) => capacityFor(inputs, users))),
    limit: table(
      ['every gateway spends on reading the stream', 'at', 'with the modelled workload'],
      [0.1, 0.3, WORKLOAD.utilization].map((share) => {
        const events = eventsAtShare(inputs, share);
        const perUser = demandOf(inputs, 1_000_000).eventsPerSecond / 1_000_000;
        return [`${percent(share)} of its core`, `${count(events)} events/s`, `${count(events / perUser)} users`];
      }),
    ),
    relevant: capacityTable(USERS.map((users) => capacityFor(inputs, users, 'relevant'))),
  };
}

const verdict = (faults: readonly string[]): string =>
  faults.length === 0
    ? 'Every prediction is within its tolerance.'
    : `Not everything is within its tolerance:\n\n${faults.map((fault) => `- ${fault}`).join('\n')}`;

const noteOn = ({ loadBefore, isSmoke }: CapacityReport): string =>
  isSmoke
    ? '**The run was much too short for meaningful figures: the tables show the form of the result, and must be measured again.**'
    : loadBefore > 0.5
      ? 'Other work ran on the machine: the figures are rough, and processor times higher than on a quiet one.'
      : 'Nothing else ran on the machine.';

function capacityTable(capacities: readonly Capacity[]): string {
  const row = (name: string, value: (capacity: Capacity) => string): string[] => [name, ...capacities.map(value)];
  return table(
    ['at the peak', ...capacities.map(({ users }) => `${count(users)} users`)],
    [
      row('connected users', ({ sockets }) => count(sockets)),
      row('requests/s', ({ requestsPerSecond }) => count(requestsPerSecond)),
      row('of them writes/s', ({ writesPerSecond }) => count(writesPerSecond)),
      row('events/s', ({ eventsPerSecond }) => count(eventsPerSecond)),
      row('deliveries/s', ({ deliveriesPerSecond }) => count(deliveriesPerSecond)),
      row('gateway cores for requests', ({ requestCores }) => cores(requestCores)),
      row('gateway cores for deliveries', ({ deliveryCores }) => cores(deliveryCores)),
      row('share of each gateway for the change stream', ({ streamShare }) => percent(streamShare)),
      row('gateways, one core each', ({ gateways }) => (gateways === null ? 'not possible' : count(gateways))),
      row('memory of a gateway', ({ gatewayMemoryMb }) =>
        gatewayMemoryMb === null ? '–' : `${count(gatewayMemoryMb)} MB`,
      ),
      row('store cores for requests', ({ storeCores }) => cores(storeCores)),
      row('store cores for change streams', ({ streamStoreCores }) =>
        streamStoreCores === null ? '–' : cores(streamStoreCores),
      ),
      row('records and indexes', ({ dataGb }) => (dataGb < 1 ? `${count(dataGb * 1_000)} MB` : `${count(dataGb)} GB`)),
      row('shards', ({ shards }) => (shards === null ? '–' : count(shards))),
    ],
  );
}

const inputRows = ({ stream, rendering, delivery, memory, data }: Inputs): string[][] => [
  [
    'an event in the change stream, for each gateway',
    `${stream.gatewayUs} µs of the gateway, ${stream.storeUs} µs of the store`,
  ],
  ['an event with receivers, for each gateway that has some', `${rendering.gatewayUs} µs`],
  ['a delivery to one socket', `${delivery.gatewayUs} µs`],
  ['memory of a gateway without sockets, after the load', `${memory.gatewayMb} MB`],
  ['records of a user, as BSON', kilobytes(data.recordBytes)],
  ['records of a user in the embedded store, whole pages', kilobytes(data.recordPageBytes)],
  ['index entries of a user in the embedded store, whole pages', kilobytes(data.indexBytes)],
];

const knownRows = (): string[][] => [
  [
    'memory of a socket with a subscription',
    `${KNOWN.socketKb} KB`,
    '`npm run bench -- --sockets`, with 19,500 and 50,000 of them',
  ],
  [
    'indexes of a user in MongoDB',
    kilobytes(KNOWN.mongodbIndexBytes),
    'the same generated network ([disk and memory](guides/scale-out.md#disk-and-memory))',
  ],
];

const kilobytes = (bytes: number): string => `${count(bytes / 1_000)} KB`;

function simulationTable(simulations: readonly Simulated[]): string {
  const busy = ({ model, result }: Simulated, kind: 'gateways' | 'shards') =>
    `${percent(model[kind])} / ${percent(result[kind].utilization)}`;
  const waits = ({ result }: Simulated, kind: 'gateways' | 'shards') =>
    fallsBehind(result[kind]) ? 'grows' : `${milliseconds(result[kind].p50Ms)} / ${milliseconds(result[kind].p99Ms)}`;
  return table(
    [
      'cluster',
      'users',
      'gateways, shards',
      'simulated',
      'gateways busy: model / simulated',
      'shards busy: model / simulated',
      'wait for a gateway p50 / p99',
      'wait for a shard p50 / p99',
    ],
    simulations.map((one) => [
      one.name,
      count(one.users),
      `${count(one.gateways)}, ${count(one.shards)}`,
      one.part === 1 ? 'all' : `1/${Math.round(1 / one.part)}`,
      busy(one, 'gateways'),
      busy(one, 'shards'),
      waits(one, 'gateways'),
      waits(one, 'shards'),
    ]),
  );
}

const milliseconds = (value: number | null): string =>
  value === null ? '–' : `${value < 10 ? value.toFixed(1) : count(value)} ms`;

const assumptionRows = (): string[][] => [
  ['users connected at the peak', percent(WORKLOAD.onlineShare)],
  ['requests of a connected user', 'the second column of the table above'],
  ['connected users that receive an event', String(WORKLOAD.subscribersPerEvent)],
  ['planned load of a core', percent(WORKLOAD.utilization)],
  ['cores of the primary of a shard', String(WORKLOAD.coresPerShard)],
  ['its memory for records and indexes', `${WORKLOAD.shardMemoryGb} GB`],
  ['records and index entries in use at the peak', percent(WORKLOAD.hotShare)],
];

const comparison = (model: number, measured: number): string =>
  `${model} ÷ ${measured} µs = ${(model / measured).toFixed(2)}`;

const percent = (share: number): string =>
  `${share < 0.01 && share > 0 ? (share * 100).toFixed(2) : count(share * 100)} %`;
const cores = (amount: number): string => (amount < 10 ? amount.toFixed(2) : count(amount));

/** Three significant digits: the model is not more precise. */
function count(amount: number): string {
  const precision = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(amount, 1))) - 2);
  return (Math.round(amount / precision) * precision).toLocaleString('en');
}
