import { cpus, loadavg } from 'node:os';
import { type AimsReport, printAimsReport } from './aims/aims.ts';
import { type MqttReport, printMqtt } from './events/mqtt.ts';
import { printQuartiles } from './http/results.ts';
import type { Figure, MemoryReport } from './memory.ts';
import type { StartUp } from './start-up.ts';
import { faultsOfStore } from './store/aims.ts';
import type { StoreReport } from './store/measure.ts';
import { printStore } from './store/print.ts';
import { type Cell, table } from './table.ts';
import { faultsOfWebhooks, type WebhookResult } from './webhooks.ts';

/** The measured figures; parts that a run left out are missing. */
export interface Report {
  machine: string;
  aims?: AimsReport;
  startUp?: StartUp[];
  mqtt?: MqttReport;
  webhooks?: WebhookResult[];
  memory?: MemoryReport;
  store?: StoreReport;
}

/** The machine and its load: on a busy machine only the ratios are meaningful. */
export function machine(): string {
  const processors = cpus();
  const model = `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}`;
  return `Node ${process.versions.node}, ${model}, ${process.platform}, load before ${loadavg()[0]!.toFixed(1)}`;
}

/** The figures of a run as readable text. */
export function print(report: Report): string {
  const { machine, aims, mqtt, webhooks, startUp, memory, store } = report;
  const unmet = unmetAims(report);
  const parts = [
    aims && printAimsReport(aims),
    mqtt && printMqtt(mqtt),
    webhooks && printWebhooks(webhooks),
    startUp && printStartUp(startUp),
    memory && printMemory(memory),
    store && printStore(store),
    unmet.length > 0 ? unmet.map((fault) => `Not met: ${fault}`).join('\n') : undefined,
  ];
  return [machine, ...parts.filter((part) => part !== undefined)].join('\n\n');
}

/** The aims of webhooks and of the store alone that are not met. */
export const unmetAims = ({ webhooks = [], store }: Pick<Report, 'webhooks' | 'store'>): string[] => [
  ...faultsOfWebhooks(webhooks),
  ...faultsOfStore(store?.operations ?? []),
];

function printWebhooks(webhooks: readonly WebhookResult[]): string {
  const rows = webhooks.map((result): Cell[] => [
    `${result.endpoints} endpoints: ${result.server}`,
    result.server === 'gateway' ? printQuartiles(result.ofForgetting) : '',
    printQuartiles(result.deliveriesPerSecond),
    result.serverUs,
    result.storeUs,
    `${result.rate}/s${result.isComplete ? '' : ', incomplete'}`,
    result.p50,
    result.p99,
    result.otherLoad,
  ]);
  const head = ['', '× fire and forget (quartiles)', 'deliveries/s (quartiles)', 'server CPU µs', 'store CPU µs'];
  return [
    'Webhooks (lag from the write of the event to the receiver)',
    table([...head, 'events', 'p50 ms', 'p99 ms', 'other load'], rows),
  ].join('\n');
}

function printStartUp(startUp: readonly StartUp[]): string {
  const rows = startUp.map(({ name, readyMs, residentMb }) => [name, Math.round(readyMs), Math.round(residentMb)]);
  return ['Start-up, embedded store', table(['', 'ready ms', 'RSS MB'], rows)].join('\n');
}

function printMemory({ results, faults }: MemoryReport): string {
  const figure = ({ residentMb, ownMb }: Figure): string => `${Math.round(residentMb)} (${Math.round(ownMb)})`;
  const rows = results.map(({ name, readyMs, ready, idle, load }): Cell[] => [
    name,
    Math.round(readyMs),
    figure(ready),
    figure(idle),
    ...(load
      ? [
          figure(load.peak),
          figure(load.loaded),
          figure(load.afterwards),
          Math.round(load.requestsPerSecond),
          Math.round(load.requestUs),
        ]
      : ['', '', '', '', '']),
  ]);
  return [
    'Memory: RSS in MB (of which not mapped from files)',
    table(['', 'ready ms', 'ready', 'idle', 'peak under load', 'end of load', 'afterwards', 'req/s', 'CPU µs'], rows),
    ...(faults.length > 0 ? faults.map((fault) => `Exceeded: ${fault}`) : ['All bounds hold.']),
  ].join('\n');
}
