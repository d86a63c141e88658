import { Counter, Gauge, Histogram } from './registry.ts';

// Module state, because a process has one set of metrics. `docs/reference/metrics.md` is generated from this file.

/** In seconds. Ten buckets per series, since there is one series for each operation. */
const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const COMMAND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const DELAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ATTEMPT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const BATCH_KEYS = [1, 2, 5, 10, 25, 50, 100, 250, 500];

export const requestSeconds = new Histogram({
  name: 'colloquy_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its answer, by transport (rest, graphql, graphql-ws, mqtt, socket-io, http) and operation: the route, or the root field of the GraphQL operation.',
  labels: ['transport', 'operation'],
  buckets: REQUEST_SECONDS,
});

export const requestErrors = new Counter({
  name: 'colloquy_request_errors_total',
  help: 'Requests that were answered with an error, by its code. INTERNAL and UNAVAILABLE are failures of the server, all others of the request.',
  labels: ['transport', 'operation', 'code'],
});

export const rateLimitRefusals = new Counter({
  name: 'colloquy_rate_limit_refusals_total',
  help: 'Requests and operations that were refused by a rate limit, by the class of operations that it bounds.',
  labels: ['class'],
});

export const databaseUp = new Gauge({
  name: 'colloquy_database_up',
  help: '1 while requests are admitted to the database, 0 while it is being prepared and during an outage.',
});

export const commandSeconds = new Histogram({
  name: 'colloquy_database_command_duration_seconds',
  help: 'Time from sending a command to the database to its reply, by command. Waits of change streams for events are not included.',
  labels: ['command'],
  buckets: COMMAND_SECONDS,
});

export const commandErrors = new Counter({
  name: 'colloquy_database_command_errors_total',
  help: 'Commands to the database that failed, by command. Conflicts of transactions, which are retried, are included.',
  labels: ['command'],
});

export const loaderBatchKeys = new Histogram({
  name: 'colloquy_loader_batch_keys',
  help: 'Keys that a loader has fetched with one command, by collection.',
  labels: ['collection'],
  buckets: BATCH_KEYS,
});

export const storeBytes = new Gauge({
  name: 'colloquy_store_bytes',
  help: 'Disk space of the database: the files of the embedded store, or the data and indexes that MongoDB reports. At most a minute old.',
  isShared: true,
});

export const cacheLookups = new Counter({
  name: 'colloquy_cache_lookups_total',
  help: 'Lookups in a cache (records, lists, answers).',
  labels: ['cache'],
});

export const cacheHits = new Counter({
  name: 'colloquy_cache_hits_total',
  help: 'Lookups in a cache that found a valid entry.',
  labels: ['cache'],
});

export const cacheEvictions = new Counter({
  name: 'colloquy_cache_evictions_total',
  help: 'Entries of a cache (records, lists, answers) that were removed to make room for others.',
  labels: ['cache'],
});

export const cacheBytes = new Gauge({
  name: 'colloquy_cache_bytes',
  help: 'Estimated memory of the entries of a cache (records, answers).',
  labels: ['cache'],
});

export const sockets = new Gauge({
  name: 'colloquy_sockets',
  help: 'Open WebSockets by protocol (graphql-transport-ws, mqtt, socket-io).',
  labels: ['protocol'],
});

export const liveConnections = new Gauge({
  name: 'colloquy_live_connections',
  help: 'Connections of signed-in users that receive events: WebSockets, event streams and long polls.',
});

export const subscriptions = new Gauge({
  name: 'colloquy_subscriptions',
  help: 'Open subscriptions: GraphQL subscriptions on WebSockets (graphql-ws), and topics of MQTT clients (mqtt).',
  labels: ['transport'],
});

export const eventsRead = new Counter({
  name: 'colloquy_events_total',
  help: 'Events that this process has read from the event log, by type.',
  labels: ['type'],
});

export const eventsDelivered = new Counter({
  name: 'colloquy_events_delivered_total',
  help: 'Events that were delivered to subscribers, counted once for each of them.',
});

export const eventDelay = new Histogram({
  name: 'colloquy_event_delay_seconds',
  help: 'Time from the creation of an event to its delivery to the subscribers of one subscription. Includes the difference between the clocks of two gateways.',
  buckets: DELAY_SECONDS,
});

export const webhookSeconds = new Histogram({
  name: 'colloquy_webhook_attempt_duration_seconds',
  help: 'Duration of attempts to deliver a webhook, by outcome (delivered, failed, gone).',
  labels: ['outcome'],
  buckets: ATTEMPT_SECONDS,
});

export const webhookBacklog = new Gauge({
  name: 'colloquy_webhook_backlog',
  help: 'Deliveries of webhooks that are pending, those of disabled endpoints included; at most 100000 are counted. At most 15 seconds old.',
  isShared: true,
});

export const eventLoopDelay = new Gauge({
  name: 'colloquy_event_loop_delay_seconds',
  help: 'Delay of timers in the last complete 10 seconds, as the quantiles 0.5, 0.99 and 1.',
  labels: ['quantile'],
});

export const eventLoopUtilization = new Gauge({
  name: 'colloquy_event_loop_utilization',
  help: 'Share of the last complete 10 seconds in which the event loop was busy, 0 to 1.',
});

export const cpuSeconds = new Gauge({
  name: 'process_cpu_seconds_total',
  type: 'counter',
  help: 'Processor time of the process with all its threads.',
});

export const residentBytes = new Gauge({
  name: 'process_resident_memory_bytes',
  help: 'Resident memory of the process.',
});

export const heapUsedBytes = new Gauge({
  name: 'nodejs_heap_size_used_bytes',
  help: 'Used heap of the main thread.',
});

export const heapTotalBytes = new Gauge({
  name: 'nodejs_heap_size_total_bytes',
  help: 'Size of the heap of the main thread.',
});

export const externalBytes = new Gauge({
  name: 'nodejs_external_memory_bytes',
  help: 'Memory outside of the heap that belongs to objects of the main thread, such as buffers.',
});

export const startSeconds = new Gauge({
  name: 'process_start_time_seconds',
  help: 'When the process was started, in seconds since 1970.',
});

export const buildInfo = new Gauge({
  name: 'colloquy_build_info',
  help: '1, with the version of Colloquy and of Node.js as labels.',
  labels: ['version', 'node_version'],
});
