import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDifference } from './differential/compare.ts';
import { readRecorded } from './differential/fixture.ts';
import { generateScript } from './differential/generate.ts';
import { openRunner, type ServerUnderTest } from './differential/run.ts';
import type { Script } from './differential/script.ts';
import { startEngine, type TestEngine } from './engine-support.ts';

const CONCURRENCY = 4;
/** The suite runs the same scripts every time; `scripts/differential.ts` searches for new ones. */
const SAMPLE = { seed: 7, scripts: 100 };

/** Random scripts of commands; `scripts/differential.ts` runs thousands of them. */
describe('any script of commands gets the same replies as from MongoDB 7.0', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startEngine({ refuseUnindexed: false });
  });
  afterAll(() => engine.close());

  type Runner = ReturnType<typeof openRunner>;

  /** Compares the items in two workers, each with its own runners, since a runner takes one script at a time. */
  async function differences<Item>(
    items: readonly Item[],
    servers: readonly ServerUnderTest[],
    compare: (item: Item, runners: readonly Runner[]) => Promise<object | undefined>,
  ): Promise<object[]> {
    const found: object[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      const runners = servers.map(openRunner);
      while (next < items.length) {
        const difference = await compare(items[next++]!, runners);
        if (difference) found.push(difference);
      }
      for (const runner of runners) await runner.close();
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return found;
  }

  const describeDifference = (
    script: Script,
    is: (string | undefined)[],
    was: (string | undefined)[],
  ): object | undefined => {
    const difference = findDifference(script, is, was);
    return difference && { ...difference, seed: script.seed, steps: script.steps.slice(0, difference.step + 1) };
  };

  it('for the recorded scripts', { timeout: 120_000 }, async () => {
    const embedded = { uri: engine.uri, isEmbedded: true };
    const found = await differences(readRecorded(), [embedded], async ({ script, answers }, [runner]) =>
      describeDifference(script, await runner!.run(script), answers),
    );
    expect(found).toEqual([]);
  });

  it.runIf(process.env.MONGODB_URI)('for random scripts run on both servers', { timeout: 1_200_000 }, async () => {
    const both = [
      { uri: engine.uri, isEmbedded: true },
      { uri: process.env.MONGODB_URI!, isEmbedded: false },
    ];
    const scripts = Array.from({ length: SAMPLE.scripts }, (_, i) => generateScript(SAMPLE.seed * 1_000_000 + i));
    const found = await differences(scripts, both, async (script, runners) => {
      const [is, was] = await Promise.all(runners.map((runner) => runner.run(script)));
      return describeDifference(script, is!, was!);
    });
    expect(found).toEqual([]);
  });
});
