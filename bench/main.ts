import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type AimsReport, measureAims, partsOf } from './aims/aims.ts';
import { canShareStore, DEFAULT_PARTS, PARTS, smokeParts, withStore } from './aims/parts.ts';
import { buildPrograms } from './build.ts';
import { benchCapacity } from './capacity/main.ts';
import { measureManySockets, printManySockets } from './events/many-sockets.ts';
import { type MqttReport, measureMqtt } from './events/mqtt.ts';
import { measureExecutors, printExecutors } from './executors/measure.ts';
import { fill } from './http/reads.ts';
import { measureMemory } from './memory.ts';
import { measureMetricsCost, printMetricsCost } from './metrics-cost/measure.ts';
import { machine, print, type Report, unmetAims } from './report.ts';
import { measureSearch, printSearch } from './search.ts';
import { FULL, type Scale, SMOKE } from './settings.ts';
import { measureStartUp } from './start-up.ts';
import { measureStore } from './store/measure.ts';
import { withFilledStore } from './store/servers.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWorst } from './worst/measure.ts';
import { printWorst } from './worst/print.ts';

const USAGE = `Compares the gateway and its store with hand-written and established alternatives.

  npm run bench -- --aims [--only PART,…] [--smoke] [--json FILE]
  npm run bench -- [--smoke] [--store-only | --gateway-only | --events-only | --webhooks-only | --mqtt | --sockets | --worst | --memory | --search | --capacity [--simulate] | --metrics-cost | --executors] [--json FILE]

  --aims          measures the aims of the project, prints each with quartiles, and fails while one is not met, or when
                  other programs used the machine meanwhile; writes the FILE of --json after each part
  --peers         only the comparison with Payload and Parse Server: --aims --only peers
  --only PARTS    only these parts of --aims, separated by commas: ${Object.keys(PARTS).join(', ')}
  --smoke         only checks that everything runs, in less than a minute
  --store-only    skips the gateway; fails when the store alone does not meet an aim
  --gateway-only  skips the million records of the store alone
  --events-only   measures only the delivery of events
  --webhooks-only measures only webhooks; fails below 1,500 deliveries/s, or when the p99 of 200 deliveries/s exceeds 100 ms
  --mqtt          measures only MQTT, beside GraphQL over WebSockets; fails when it delivers less than 0.8 of the
                  messages
  --sockets       holds 19,500 and 50,000 subscribed WebSockets, then lets 10,000 subscribers return after a crash; fails
                  when a socket takes more than 16 KB, or when their return takes more than 5 s
  --worst         searches for the most expensive requests that the limits accept; fails when one exceeds a bound
  --memory        measures only memory: when ready, a minute later, and under ten minutes of load; fails when a bound is
                  exceeded
  --search        measures only search in networks of 10,000 and of a million posts; fails when it takes more than 1.3 times
                  as long in the larger one, or when the index slows down writes too much
  --capacity      measures only the inputs of the capacity model (docs/capacity.md), and checks its predictions by runs and
                  by simulated clusters; fails when one is outside its tolerance; about nine minutes; with --json
                  bench/capacity/report.json, npm run generate updates the tables
  --simulate      with --capacity: only the simulated clusters, with the inputs of bench/capacity/report.json
  --metrics-cost  measures only the processor time per request with and without metrics; fails when they cost more than 2 %
  --executors     measures only the execution of documents, by the gateway's plan, graphql-js, graphql-jit, Grafast, and a plan
                  for one REST route
  --minutes N     duration of the load of --memory, instead of ten minutes
  --posts N       posts of the larger network of --search, instead of a million
  --records N     records of the main kinds in the larger network of the part growth, instead of a million
  --json FILE     also writes the figures to FILE
`;

const { values } = parseArgs({
  options: {
    aims: { type: 'boolean' },
    only: { type: 'string' },
    peers: { type: 'boolean' },
    smoke: { type: 'boolean' },
    'store-only': { type: 'boolean' },
    'gateway-only': { type: 'boolean' },
    'events-only': { type: 'boolean' },
    'webhooks-only': { type: 'boolean' },
    mqtt: { type: 'boolean' },
    sockets: { type: 'boolean' },
    worst: { type: 'boolean' },
    memory: { type: 'boolean' },
    search: { type: 'boolean' },
    capacity: { type: 'boolean' },
    simulate: { type: 'boolean' },
    'metrics-cost': { type: 'boolean' },
    executors: { type: 'boolean' },
    minutes: { type: 'string' },
    posts: { type: 'string' },
    records: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const eventsOnly = values['events-only'] || values['webhooks-only'] || values.mqtt;
if (values.help) console.log(USAGE);
else if (values.peers) await benchAims('peers');
else if (values.aims) await benchAims(values.only);
else if (values.worst) await benchWorst();
else if (values.search) await benchSearch();
else if (values.capacity)
  await benchCapacity({ smoke: values.smoke, simulateOnly: values.simulate, json: values.json, progress });
else if (values.sockets) await benchManySockets();
else if (values['metrics-cost']) await benchMetricsCost();
else if (values.executors) await benchExecutors();
else await bench();

async function bench(): Promise<void> {
  const scale = values.smoke ? SMOKE : FULL;
  const where = machine();
  await buildPrograms();
  if (values.memory) {
    const loadMs = values.minutes === undefined ? scale.memory.loadMs : Number(values.minutes) * 60_000;
    progress('memory');
    const memory = await measureMemory(scale, { ...scale.memory, loadMs }, progress);
    if (memory.faults.length > 0) process.exitCode = 1;
    return show({ machine: where, memory });
  }
  const gateway = values['store-only'] ? {} : await measureGateway(scale);
  const report: Report = {
    machine: where,
    ...gateway,
    ...(!values['gateway-only'] && !eventsOnly && (await measureStoreAlone(scale))),
  };
  await show(report);
  const isSelected = values['store-only'] || values['webhooks-only'];
  // Too short for meaningful figures.
  if (isSelected && unmetAims(report).length > 0 && !values.smoke) process.exitCode = 1;
}

async function show(report: Report): Promise<void> {
  console.log(print(report));
  await save(report);
}

async function save(report: Report): Promise<void> {
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

async function benchAims(only: string | undefined): Promise<void> {
  const parts = partsOf(only);
  const where = machine();
  await buildPrograms();
  const scale = values.smoke ? SMOKE : FULL;
  const [few, many] = scale.growth.records;
  const records = [few, values.records === undefined ? many : Number(values.records)] as const;
  const sized = { ...scale, growth: { ...scale.growth, records } };
  const run = { scale: sized, progress };
  // One store for several parts: its records take minutes to write.
  const saveAims = (aims: AimsReport) => save({ machine: where, aims });
  const aims = canShareStore(parts)
    ? await withStore(run, (store) => measureAims(parts, { ...run, store }, saveAims), scale.many)
    : await measureAims(parts, run, saveAims);
  await show({ machine: where, aims });
  // Too short for meaningful figures.
  if ((aims.unmet.length > 0 || aims.isBusy) && !values.smoke) process.exitCode = 1;
}

async function benchWorst(): Promise<void> {
  await buildPrograms();
  const report = await measureWorst(values.smoke ? SMOKE : FULL, progress);
  console.log(`${machine()}\n\n${printWorst(report)}`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  if (report.faults.length > 0) process.exitCode = 1;
}

async function benchSearch(): Promise<void> {
  await buildPrograms();
  const { search } = values.smoke ? SMOKE : FULL;
  const [small, large] = search.posts;
  const posts = [small, values.posts === undefined ? large : Number(values.posts)] as const;
  const report = await measureSearch({ ...search, posts }, progress);
  console.log(`${machine()}\n\n${printSearch(report)}`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  // Networks that are too small for meaningful figures.
  if (report.faults.length > 0 && !values.smoke) process.exitCode = 1;
}

async function benchManySockets(): Promise<void> {
  await buildPrograms();
  const report = await measureManySockets((values.smoke ? SMOKE : FULL).manySockets, progress);
  console.log(`${machine()}\n\n${printManySockets(report)}`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  // Too few sockets for meaningful figures.
  if (report.faults.length > 0 && !values.smoke) process.exitCode = 1;
}

async function benchMetricsCost(): Promise<void> {
  await buildPrograms();
  const scale = values.smoke ? SMOKE : FULL;
  const report = await withStore({ scale, progress }, (store) =>
    measureMetricsCost(store, scale.metricsCost, progress),
  );
  console.log(`${machine()}\n\n${printMetricsCost(report)}`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  // Too short for meaningful figures.
  if (report.faults.length > 0 && !values.smoke) process.exitCode = 1;
}

async function benchExecutors(): Promise<void> {
  await buildPrograms();
  const scale = values.smoke ? SMOKE : FULL;
  const report = await withStore({ scale: { ...scale, fill: 0 }, progress }, (store) =>
    measureExecutors(store, scale.executors, progress),
  );
  console.log(`${machine()}\n\n${printExecutors(report)}`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

async function measureStoreAlone(scale: Scale): Promise<Pick<Report, 'store'>> {
  progress('the store alone');
  return { store: await measureStore(scale.store, progress) };
}

async function measureGateway(scale: Scale): Promise<Pick<Report, 'aims' | 'startUp' | 'mqtt' | 'webhooks'>> {
  // Events need no other records around the measured ones.
  if (values.mqtt)
    return withFilledStore(
      (uri) => fill(uri, { fill: 0 }),
      async ({ uri }) => ({ mqtt: await benchMqtt(uri, scale) }),
    );
  progress('webhooks');
  const webhooks = await measureWebhooks(scale.webhooks);
  if (values['webhooks-only']) return { webhooks };
  return withFilledStore(
    (uri) => fill(uri, scale, eventsOnly ? undefined : scale.many),
    async (store, written) => {
      progress(`${written.toLocaleString('en')} records written`);
      const run = { scale, progress, store };
      if (values['events-only']) return { aims: await measureAims(['events'], run), webhooks };
      const mqtt = await benchMqtt(store.uri, scale);
      const aims = await measureAims(values.smoke ? await smokeParts() : DEFAULT_PARTS, run);
      progress('start-up');
      return { aims, mqtt, webhooks, startUp: await measureStartUp(scale.starts) };
    },
  );
}

async function benchMqtt(uri: string, scale: Scale): Promise<MqttReport> {
  progress('events over MQTT');
  const mqtt = await measureMqtt(uri, scale.mqtt);
  // Too short for meaningful figures.
  if (mqtt.faults.length > 0 && !values.smoke) process.exitCode = 1;
  return mqtt;
}

function progress(step: string): void {
  console.error(`${(performance.now() / 1_000).toFixed(1).padStart(6)} s  ${step}`);
}
