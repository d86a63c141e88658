import type { Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';

let hasTraffic = false;

/**
 * Holds V8's young generation at its size. It doubles whenever much of it survives, as modules and the schema do while a
 * process starts, and then keeps 2 × 16 MB for a process that does nothing. Call it again when a thread has been started,
 * which sets the flag back for the whole process.
 */
export function holdYoungGeneration(): void {
  if (!hasTraffic) setFlagsFromString('--semi-space-growth-factor=1');
}

/** Requests after which a process counts as one with traffic. */
const TRAFFIC = 200;

/** Lets the young generation grow once there is traffic, which needs it for throughput. */
export function releaseYoungGenerationWithTraffic(server: Server): void {
  let requests = 0;
  server.on('request', function count({ url }) {
    // Probes come however idle a process is.
    if (url !== '/readyz' && url !== '/healthz') requests += 1;
    if (requests < TRAFFIC) return;
    server.off('request', count);
    hasTraffic = true;
    setFlagsFromString('--semi-space-growth-factor=2');
  });
}
