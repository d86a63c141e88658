import { readFileSync } from 'node:fs';
import { processorMs } from '../process.ts';
import type { Usage } from './load-messages.ts';

/** Processes whose time is measured: those of the server, and the one of the store. */
export interface Measured {
  servers: readonly number[];
  store: number;
  client: number;
  /** Further processes of the bench. */
  bench: readonly number[];
}

/** Processor time used so far. `others` is NaN where the system does not report it. */
export function usageOf({ servers, store, client, bench }: Measured): Usage {
  const sum = (pids: readonly number[]) => pids.reduce((total, pid) => total + processorMs(pid), 0);
  const usage = { server: sum(servers), store: processorMs(store), client: processorMs(client) };
  const isStoreApart = !servers.includes(store);
  return {
    ...usage,
    others: busyMs() - usage.server - (isStoreApart ? usage.store : 0) - usage.client - sum(bench),
  };
}

export function usedBetween(before: Usage, after: Usage): Usage {
  return {
    server: after.server - before.server,
    store: after.store - before.store,
    client: after.client - before.client,
    others: after.others - before.others,
  };
}

/** Time that all processors together were busy, including time taken by the host of a virtual machine. */
function busyMs(): number {
  try {
    const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!;
    const [user, nice, system, , , irq, softIrq, steal] = line.split(/\s+/).slice(1).map(Number) as number[];
    return (user! + nice! + system! + irq! + softIrq! + steal!) * 10;
  } catch {
    return Number.NaN;
  }
}
