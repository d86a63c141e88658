import { type ChildProcess, spawn } from 'node:child_process';
import { BUILT } from '../build.ts';

export type FleetOrder = { type: 'begin' } | { type: 'figures' };
export type FleetReport =
  | { type: 'ready' }
  | { type: 'complete'; number: number }
  | ({ type: 'figures' } & FleetFigures);

export interface FleetFigures {
  received: number;
  latencies: number[];
  /** Length of the last event in bytes. */
  bytes: number;
  /** The last event, as text. */
  last: string;
}

export interface FleetUser {
  userId: string;
  internalId: string;
  token: string;
}

export interface Fleet {
  pid: number;
  /** Clears the received events. */
  begin(): void;
  /** Resolves when every subscriber has received the event with this number, or after the timeout. */
  complete(number: number, withinMs: number): Promise<boolean>;
  figures(): Promise<FleetFigures>;
  stop(): Promise<void>;
}

export interface FleetOptions {
  url: string;
  size: number;
  /** The GraphQL subscription; if empty, the sockets stay idle. */
  query?: string;
  /** Topics of MQTT clients, in which `{me}` stands for the internal id of the user. */
  topics?: readonly string[];
  users: readonly FleetUser[];
  /** Local address of the clients, for more than about 28,000 of them. */
  address?: string;
  /** Whether clients connect again when the server closes their connections; each event must then follow the previous one. */
  reconnects?: boolean;
}

/** Subscribers in a separate process. Resolves when all of them have subscribed. */
export async function startFleet({ address = '', reconnects = false, ...options }: FleetOptions): Promise<Fleet> {
  const { url, size, query = '', topics = [], users } = options;
  const child: ChildProcess = spawn(process.execPath, [`${BUILT}socket-fleet.js`], {
    env: {
      PATH: process.env.PATH,
      FLEET_URL: url,
      FLEET_SIZE: String(size),
      FLEET_QUERY: query,
      FLEET_TOPICS: JSON.stringify(topics),
      FLEET_USERS: JSON.stringify(users),
      FLEET_ADDRESS: address,
      FLEET_RECONNECTS: String(reconnects),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const done = new Set<number>();
  const listeners = new Set<(report: FleetReport) => void>();
  child.on('message', (report: FleetReport) => {
    if (report.type === 'complete') done.add(report.number);
    for (const listener of listeners) listener(report);
  });
  const until = <Report extends FleetReport>(is: (report: FleetReport) => report is Report, withinMs: number) =>
    new Promise<Report | null>((resolve) => {
      const end = (report: Report | null) => {
        clearTimeout(timer);
        listeners.delete(listen);
        resolve(report);
      };
      const listen = (report: FleetReport) => is(report) && end(report);
      const timer = setTimeout(() => end(null), withinMs);
      listeners.add(listen);
    });

  const ready = until((report): report is FleetReport & { type: 'ready' } => report.type === 'ready', 120_000);
  const outcome = await Promise.race([ready, exited]);
  if (!outcome) throw new Error('Some subscribers could not subscribe.');
  const order = (what: FleetOrder) => {
    if (!child.connected) throw new Error('The subscribers ended early.');
    child.send(what);
  };
  return {
    pid: child.pid!,
    begin: () => order({ type: 'begin' }),
    async complete(number, withinMs) {
      if (done.has(number)) return true;
      const is = (report: FleetReport): report is FleetReport & { type: 'complete' } =>
        report.type === 'complete' && report.number === number;
      return (await until(is, withinMs)) !== null;
    },
    async figures() {
      const answer = until((report): report is FleetReport & { type: 'figures' } => report.type === 'figures', 60_000);
      order({ type: 'figures' });
      const report = await answer;
      if (!report) throw new Error('The subscribers do not report what they received.');
      return report;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
