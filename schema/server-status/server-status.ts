import {
  type AcceptedTokenSecret,
  getServerStatus,
  getStoreBytes,
  getWebhookBacklog,
  type ReportedStatus,
} from '../../src/domain/server/get-server-status.ts';
import { VERSION } from '../../src/lib/version.ts';
import type { Traffic } from '../../src/observe/server-status.ts';
import { builder } from '../builder.ts';

const DatabaseKind = builder.enumType('DatabaseKind', {
  description: 'Kinds of databases.',
  values: {
    EMBEDDED: { description: 'The document store that is part of the gateway.' },
    MONGODB: { description: 'A replica set or sharded cluster of MongoDB.' },
  },
});

const DatabaseStatus = builder.objectRef<ReportedStatus['database']>('DatabaseStatus').implement({
  description: 'Whether the gateway can use its database now.',
  fields: (t) => ({
    kind: t.field({
      type: DatabaseKind,
      description: 'The kind of database.',
      resolve: ({ isEmbedded }) => (isEmbedded ? 'EMBEDDED' : 'MONGODB'),
    }),
    isReady: t.exposeBoolean('isReady', { description: 'Whether reads succeed.' }),
    isReadOnly: t.exposeBoolean('isReadOnly', {
      description: 'Whether writes are rejected, for example because the disk is full.',
    }),
    problem: t.string({
      nullable: true,
      description: 'What is wrong, for operators; null while the database works.',
      resolve: ({ reason }) => reason,
    }),
    bytes: t.float({
      nullable: true,
      description: 'Disk space of data and indexes in bytes, at most a minute old; null if it is unknown.',
      resolve: () => getStoreBytes(),
    }),
  }),
});

const EventLoopStatus = builder.objectRef<ReportedStatus['loopDelay']>('EventLoopStatus').implement({
  description: 'How late timers fire, of the process in which they are latest, in the last complete 10 seconds.',
  fields: (t) => ({
    medianMs: t.float({ description: 'Median in milliseconds.', resolve: ({ p50 }) => p50 * 1_000 }),
    p99Ms: t.float({ description: '99th percentile in milliseconds.', resolve: ({ p99 }) => p99 * 1_000 }),
    maxMs: t.float({ description: 'Longest delay in milliseconds.', resolve: ({ max }) => max * 1_000 }),
    utilization: t.exposeFloat('utilization', {
      description: 'Share of the time in which the event loop was busy, 0 to 1.',
    }),
  }),
});

const ServerTraffic = builder.objectRef<Traffic>('ServerTraffic').implement({
  description: 'Rates per second of the last 15 minutes: one number for each complete period, oldest first.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'Start of the first period.' }),
    periodSeconds: t.exposeInt('periodSeconds', { description: 'Length of a period in seconds.' }),
    requests: t.floatList({
      description: 'Requests over all transports.',
      resolve: ({ rates }) => rates.requests,
    }),
    errors: t.floatList({
      description: 'Requests that were answered with an error of any kind.',
      resolve: ({ rates }) => rates.errors,
    }),
    serverErrors: t.floatList({
      description: 'Requests that failed with `INTERNAL` or `UNAVAILABLE`.',
      resolve: ({ rates }) => rates.serverErrors,
    }),
    events: t.floatList({
      description: 'Deliveries of events to subscribers.',
      resolve: ({ rates }) => rates.events,
    }),
  }),
});

const AcceptedTokenSecretType = builder.objectRef<AcceptedTokenSecret>('AcceptedTokenSecret').implement({
  description:
    'A secret of `TOKEN_SECRET_ACCEPTED`, which verifies tokens and signs none: an earlier or a coming `TOKEN_SECRET`.',
  fields: (t) => ({
    until: t.expose('until', {
      type: 'DateTime',
      nullable: true,
      description: 'When the secret is refused from; null if it is accepted without an end.',
    }),
    hasEnded: t.exposeBoolean('hasEnded', { description: 'Whether that time has passed.' }),
  }),
});

const ServerStatus = builder.objectRef<ReportedStatus>('ServerStatus').implement({
  description:
    'The status of the processes behind one address: one process, or the workers of one gateway. Other gateways of the deployment are not included.',
  fields: (t) => ({
    version: t.string({ description: 'Version of the server.', resolve: () => VERSION }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the oldest process started.' }),
    processes: t.exposeInt('processes', { description: 'Processes that reported.' }),
    database: t.expose('database', { type: DatabaseStatus, description: 'The database.' }),
    sockets: t.exposeInt('sockets', { description: 'Open WebSockets.' }),
    liveConnections: t.int({
      description: 'Connections that receive events: WebSockets, event streams and long polls.',
      resolve: ({ connections }) => connections,
    }),
    subscriptions: t.exposeInt('subscriptions', {
      description: 'Open GraphQL subscriptions on WebSockets, and topics of MQTT clients.',
    }),
    webhookBacklog: t.int({
      description: 'Pending deliveries of webhooks in the network; at most 100,000 are counted.',
      resolve: (_status, _args, context) => getWebhookBacklog(context),
    }),
    residentMemoryBytes: t.float({
      description: 'Resident memory of all processes in bytes.',
      resolve: ({ residentMemory }) => residentMemory,
    }),
    heapUsedBytes: t.float({
      description: 'Used JavaScript heap of all processes in bytes.',
      resolve: ({ heapUsed }) => heapUsed,
    }),
    eventLoop: t.field({
      type: EventLoopStatus,
      description: 'Delay of the event loop.',
      resolve: ({ loopDelay }) => loopDelay,
    }),
    acceptedTokenSecrets: t.expose('acceptedTokenSecrets', {
      type: [AcceptedTokenSecretType],
      description:
        'Secrets that verify tokens beside `TOKEN_SECRET`, during its rotation, in the order of the setting.',
    }),
    traffic: t.expose('traffic', { type: ServerTraffic, description: 'Requests, errors and events per second.' }),
  }),
});

builder.queryField('serverStatus', (t) =>
  t.field({
    type: ServerStatus,
    description: 'The status of the server, for users who edit and assign roles.',
    resolve: (_root, _args, context) => getServerStatus(context),
  }),
);
