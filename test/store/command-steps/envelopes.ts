import { type Document, Long } from 'bson';
import { commit, newSession, PAST, type Step, soon, t, withEach } from './step.ts';

const s6 = newSession();
const signed = (clusterTime: unknown, hash: unknown = Buffer.alloc(20), keyId: unknown = Long.ZERO): Document => ({
  ping: 1,
  $clusterTime: { clusterTime, signature: { hash, keyId } },
});
const TIMES = [-1, 'x', 1.5, 2_147_483_648, null, true, Number.NaN];

/** Generic arguments of all commands: API version, time limit, cluster time. */
export const steps: readonly Step[] = [
  { insert: 'x', documents: [{ _id: 1, a: 1 }] },
  ...withEach({ apiVersion: '1', apiStrict: true }),
  { ping: 1, apiVersion: '2' },
  { ping: 1, apiVersion: 1 },
  { ping: 1, apiStrict: true },
  { ping: 1, apiDeprecationErrors: true },
  { ping: 1, apiVersion: '1', apiStrict: 'x' },
  { ping: 1, apiVersion: '1', apiDeprecationErrors: true },
  { foo: 1, apiVersion: '1', apiStrict: true },
  { serverStatus: 1, apiVersion: '1', apiStrict: true },
  { buildInfo: 1, apiVersion: '1', apiStrict: true },
  { validate: 'x', apiVersion: '1', apiStrict: true },
  { killSessions: [], apiVersion: '1', apiStrict: true },
  t(s6, 1, { find: 'x', apiVersion: '1' }, true),
  t(s6, 1, { find: 'x' }),
  t(s6, 1, { find: 'x', apiVersion: '1' }),
  commit(s6, 1),
  ['admin', t(s6, 1, { commitTransaction: 1, apiVersion: '1' })],
  { commitTransaction: 1 },
  { listDatabases: 1 },
  ...TIMES.flatMap((maxTimeMS) => [
    { find: 'x', maxTimeMS },
    { aggregate: 'x', pipeline: [], cursor: {}, maxTimeMS },
    { insert: 'x', documents: [{ _id: 2 }], maxTimeMS },
    { getMore: Long.fromNumber(1), collection: 'x', maxTimeMS },
    { ping: 1, maxTimeMS },
  ]),
  { find: 'x', maxTimeMS: 2_147_483_647 },
  { find: 'x', maxTimeMS: Long.fromNumber(60_000) },
  { find: 'x', maxTimeMS: 0 },
  { ping: 1, $clusterTime: 5 },
  { ping: 1, $clusterTime: {} },
  { ping: 1, $clusterTime: { clusterTime: PAST } },
  { ping: 1, $clusterTime: { clusterTime: PAST, signature: 5 } },
  signed(5),
  signed(PAST),
  signed(PAST, Buffer.alloc(5)),
  signed(PAST, 5),
  signed(PAST, Buffer.alloc(20), 0),
  signed(soon(100_000_000)),
];
