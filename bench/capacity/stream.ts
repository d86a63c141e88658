import { setTimeout as pause } from 'node:timers/promises';
import { untilIdle } from '../process.ts';
import { writeEvents } from './events.ts';
import { treeMs } from './load.ts';
import type { Mixes } from './mixes.ts';
import type { Inputs } from './model.ts';
import { type Bench, countEvents, type Gateway, withGateway } from './setup.ts';

/** Events per second, and processes that read them, while the cost of reading for the store is measured. */
const STREAM_RATE = 150;
const READERS = 4;
/** The store spends many times as much on writing an event as on a further reader, so the difference needs many events. */
const TIMES_LONGER = 5;

/**
 * What reading the change stream costs each gateway and the store, for each event of the mix: further gateways read what
 * this one writes. They read every change, not only events.
 */
export async function measureStream(bench: Bench, writer: Gateway, mixes: Mixes): Promise<Inputs['stream']> {
  const { store, server, scale } = bench;
  const storeMsPerEvent = async () => {
    const idle = await idleShare(server.pid);
    const [usedBefore, startedAt] = [treeMs(server.pid), performance.now()];
    const written = await writeEvents(store, {
      type: 'post.deleted',
      rate: STREAM_RATE,
      milliseconds: scale.eventsMs * TIMES_LONGER,
    });
    return (treeMs(server.pid) - usedBefore - idle * (performance.now() - startedAt)) / written;
  };
  const withOneBefore = await storeMsPerEvent();
  const { gatewayUs, withAll } = await withGateway(bench, READERS, async (readers) => {
    await mixes.send({ regime: 'busy', operation: null });
    await untilIdle(readers);
    const withAll = await storeMsPerEvent();
    const idle = await idleShare(readers.pid);
    const [eventsBefore, usedBefore, startedAt] = [await countEvents(store), treeMs(readers.pid), performance.now()];
    await mixes.send({ regime: 'busy', operation: null }, scale.eventsMs * 2);
    await untilIdle(writer);
    const used = treeMs(readers.pid) - usedBefore - idle * (performance.now() - startedAt);
    const events = (await countEvents(store)) - eventsBefore;
    return { gatewayUs: (used * 1_000) / events / READERS, withAll };
  });
  // Measured again, because the store and the machine may have become slower or faster meanwhile.
  const withOne = (withOneBefore + (await storeMsPerEvent())) / 2;
  return { gatewayUs, storeUs: ((withAll - withOne) * 1_000) / READERS };
}

/** The share of a processor that an idle program uses. */
async function idleShare(pid: number): Promise<number> {
  const [before, startedAt] = [treeMs(pid), performance.now()];
  await pause(3_000);
  return (treeMs(pid) - before) / (performance.now() - startedAt);
}
