import { CONNECTION_LIMITS } from '../limits.ts';
import { type Connection, unsentBytes } from './connection.ts';

/**
 * The connections to end so that what waits for each client, and for all, is within its bound: those that have taken
 * nothing for longest first.
 */
export function excessOf(connections: Iterable<Connection>): Connection[] {
  const byClient = new Map<string, { bytes: number; holders: Holder[] }>();
  let total = 0;
  for (const connection of connections) {
    const bytes = unsentBytes(connection);
    if (bytes === 0) continue;
    total += bytes;
    const own = byClient.get(connection.client) ?? { bytes: 0, holders: [] };
    byClient.set(connection.client, own);
    own.bytes += bytes;
    own.holders.push({ connection, bytes });
  }
  const excess: Connection[] = [];
  const kept: Holder[] = [];
  for (const { bytes, holders } of byClient.values()) {
    const beyond = bytes - CONNECTION_LIMITS.unsentPerClient;
    const cut = beyond > 0 ? slowestOf(holders, beyond) : new Set<Holder>();
    for (const holder of holders) {
      if (!cut.has(holder)) kept.push(holder);
      else {
        excess.push(holder.connection);
        total -= holder.bytes;
      }
    }
  }
  if (total > CONNECTION_LIMITS.unsentTotal) {
    for (const { connection } of slowestOf(kept, total - CONNECTION_LIMITS.unsentTotal)) excess.push(connection);
  }
  return excess;
}

interface Holder {
  connection: Connection;
  bytes: number;
}

/** The slowest that together hold so many bytes. */
function slowestOf(holders: readonly Holder[], bytes: number): Set<Holder> {
  const slowest = [...holders].sort(
    (one, other) => one.connection.progressAt - other.connection.progressAt || other.bytes - one.bytes,
  );
  const chosen = new Set<Holder>();
  let sum = 0;
  for (const holder of slowest) {
    if (sum >= bytes) break;
    chosen.add(holder);
    sum += holder.bytes;
  }
  return chosen;
}
