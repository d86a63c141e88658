import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Database, openDatabase } from '../support/faulty-gateway.ts';
import { createRandom, type Random } from './gateways.ts';
import { SEED } from './settings.ts';
import { type StreamProxy, startStreamProxy } from './stream-proxy.ts';

/** A database that two gateways reach through proxies, which inject faults into their change streams. */
export interface FaultyStreams {
  near: StreamProxy;
  far: StreamProxy;
  /** Injects random faults until the signal is aborted. @param db in which cursors are killed */
  inject(db: Db, random: Random, done: AbortSignal): Promise<void>;
  /** How often each fault was injected. */
  readonly counts: Readonly<Record<Fault, number>>;
  /** Ends the current faults, so that gateways can be closed. */
  end(): void;
  close(): Promise<void>;
}

type Fault = keyof typeof FAULTS;

interface Injected {
  proxy: StreamProxy;
  db: Db;
  random: Random;
  done: AbortSignal;
}

/** Waits, at most until the clients are done. */
export const wait = (ms: number, done: AbortSignal) => pause(ms, undefined, { signal: done }).catch(() => undefined);

/** @returns whether a stream was affected, where that is known */
const FAULTS = {
  async cuts({ proxy }: Injected) {
    return proxy.cut() > 0;
  },
  async kills({ proxy, db }: Injected) {
    const cursors = proxy.cursors();
    if (cursors.length === 0) return false;
    const reply = await db.command({ killCursors: '$cmd.aggregate', cursors }).catch(() => null);
    return reply?.cursorsKilled?.length > 0;
  },
  async stalls({ proxy, random, done }: Injected) {
    proxy.set('stall');
    await wait(500 + random.below(3_000), done);
    proxy.set('none');
    return true;
  },
  async delays({ proxy, random, done }: Injected) {
    proxy.set({ maxDelayMs: 5 + random.below(400) });
    await wait(500 + random.below(2_000), done);
    proxy.set('none');
    return true;
  },
};

export async function startFaultyStreams(): Promise<FaultyStreams> {
  // A transaction of a killed gateway holds its locks until its lifetime ends.
  const database: Database = await openDatabase({ transactionLifetimeMs: 2_000 });
  const random = createRandom(SEED);
  const fraction = () => random.below(1_000) / 1_000;
  const near = await startStreamProxy(database.target, fraction);
  const far = await startStreamProxy(database.target, fraction);
  const counts: Record<Fault, number> = { cuts: 0, kills: 0, stalls: 0, delays: 0 };
  return {
    near,
    far,
    counts,
    async inject(db, choices, done) {
      while (!done.aborted) {
        const fault = choices.pick(Object.keys(FAULTS) as Fault[]);
        if (await FAULTS[fault]({ proxy: choices.pick([near, far]), db, random: choices, done })) counts[fault] += 1;
        await wait(choices.below(1_000), done);
      }
    },
    end() {
      for (const proxy of [near, far]) proxy.set('none');
    },
    async close() {
      await near.close();
      await far.close();
      await database.close();
    },
  };
}
