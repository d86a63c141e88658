import cluster, { type Worker } from 'node:cluster';
import { type ProcessSnapshot, snapshotMetrics } from './metrics/exposition.ts';
import { type ProcessStatus, processStatus } from './process-status.ts';

/** What processes report to each other. */
interface Reports {
  metrics: ProcessSnapshot;
  status: ProcessStatus | null;
}

type Subject = keyof Reports;

/** Messages between the primary process and its workers. */
type Message =
  /** A worker requests the reports of all processes. */
  | { colloquy: 'gather'; id: number; subject: Subject }
  | { colloquy: 'gathered'; id: number; reports: unknown[] }
  /** The primary requests the report of a worker. */
  | { colloquy: 'report'; id: number; subject: Subject }
  | { colloquy: 'reported'; id: number; report: unknown };

/** A process that does not report in time is left out: a blocked one must not hide the others. */
const TIMEOUT_MS = 2_000;

const pending = new Map<number, (value: unknown) => void>();
let lastId = 0;
let isAnswering = false;

/** The report of every process that serves with this one: the workers and their primary, or only this process. */
export async function reportsOfAll<Name extends Subject>(subject: Name): Promise<Array<Reports[Name]>> {
  if (!cluster.isWorker) {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
    const own = ownReport(subject, workers.length > 0 ? 'primary' : null);
    const reports = await Promise.all([...workers.map((worker) => reportOf(worker!, subject)), own]);
    return reports.filter((report): report is Awaited<Reports[Name]> => report !== null);
  }
  answerReports();
  const gathered = await request(
    (id) => process.send?.({ colloquy: 'gather', id, subject } satisfies Message),
    2 * TIMEOUT_MS,
  );
  return (gathered as Array<Reports[Name]> | null) ?? [(await ownReport(subject, workerName())) as Reports[Name]];
}

/** Answers the primary's requests for reports: in every worker. */
export function answerReports(): void {
  if (!cluster.isWorker || isAnswering) return;
  isAnswering = true;
  process.on('message', (message: Message) => {
    if (message?.colloquy === 'gathered') pending.get(message.id)?.(message.reports);
    if (message?.colloquy !== 'report') return;
    const { id, subject } = message;
    void ownReport(subject, workerName()).then((report) =>
      process.send?.({ colloquy: 'reported', id, report } satisfies Message),
    );
  });
}

/** Lets workers request the reports of all processes: in the primary. */
export function relayReports(): void {
  cluster.on('message', (worker: Worker, message: Message) => {
    if (message?.colloquy === 'reported') pending.get(message.id)?.(message.report);
    if (message?.colloquy !== 'gather') return;
    const { id, subject } = message;
    void reportsOfAll(subject).then((reports) => {
      sendTo(worker, { colloquy: 'gathered', id, reports });
    });
  });
}

function reportOf(worker: Worker, subject: Subject): Promise<unknown> {
  return request((id) => sendTo(worker, { colloquy: 'report', id, subject }), TIMEOUT_MS);
}

/** Without a callback, a worker that dies now would emit an `error` that ends this process. */
function sendTo(worker: Worker, message: Message): void {
  worker.send(message, () => undefined);
}

/** @returns the answer; null when there is none in time */
function request(send: (id: number) => void, timeoutMs: number): Promise<unknown> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve) => {
    const settle = (value: unknown) => {
      clearTimeout(timer);
      pending.delete(id);
      resolve(value);
    };
    const timer = setTimeout(settle, timeoutMs, null);
    pending.set(id, settle);
    send(id);
  });
}

const workerName = (): string => String(cluster.worker?.id);

function ownReport(subject: Subject, worker: string | null): Promise<unknown> {
  return subject === 'metrics' ? snapshotMetrics(worker) : processStatus();
}
