import { CONNECTION_LIMITS } from '../limits.ts';
import { type Connection, unsentBytes } from './connection.ts';

/**
 * Selects the connections to end so that the unsent bytes of each client, of each session and of the process are within
 * their limits. Connections whose peer has accepted nothing for longest are selected first.
 */
export function excessOf(connections: Iterable<Connection>): Connection[] {
  const excess = new Set<Holder>();
  let kept: Holder[] = [];
  for (const connection of connections) {
    const bytes = unsentBytes(connection);
    if (bytes > 0) kept.push({ connection, bytes });
  }
  const bound = (holders: readonly Holder[], limit: number): void => {
    for (const holder of slowestOf(holders, sumOf(holders) - limit)) excess.add(holder);
  };
  const { unsentPerClient, unsentPerSession, unsentTotal } = CONNECTION_LIMITS;
  for (const holders of groupsOf(kept, ({ client }) => client)) bound(holders, unsentPerClient);
  kept = kept.filter((holder) => !excess.has(holder));
  for (const holders of groupsOf(kept, ({ session }) => session)) bound(holders, unsentPerSession);
  bound(
    kept.filter((holder) => !excess.has(holder)),
    unsentTotal,
  );
  return Array.from(excess, ({ connection }) => connection);
}

/** A connection with unsent bytes. */
interface Holder {
  connection: Connection;
  bytes: number;
}

function groupsOf(holders: readonly Holder[], keyOf: (connection: Connection) => string | null): Iterable<Holder[]> {
  const groups = new Map<string, Holder[]>();
  for (const holder of holders) {
    const key = keyOf(holder.connection);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(holder);
    else groups.set(key, [holder]);
  }
  return groups.values();
}

const sumOf = (holders: readonly Holder[]): number => holders.reduce((sum, { bytes }) => sum + bytes, 0);

/** The slowest holders that together hold at least this many bytes. */
function slowestOf(holders: readonly Holder[], bytes: number): Holder[] {
  if (bytes <= 0) return [];
  const slowest = [...holders].sort(
    (one, other) => one.connection.progressAt - other.connection.progressAt || other.bytes - one.bytes,
  );
  let sum = 0;
  return slowest.filter((holder) => {
    if (sum >= bytes) return false;
    sum += holder.bytes;
    return true;
  });
}
