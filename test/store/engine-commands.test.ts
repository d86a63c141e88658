import { readFileSync } from 'node:fs';
import { EJSON } from 'bson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_STEPS } from './command-steps.ts';
import { startEngine, type TestEngine } from './engine-support.ts';
import { runSteps } from './run-steps.ts';

describe('commands, taken one after another, are answered as MongoDB 7.0 recorded', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startEngine({ refuseUnindexed: false });
  });
  afterAll(() => engine.close());

  it.each(Object.entries(COMMAND_STEPS))('%s', async (name, steps) => {
    const recorded = JSON.parse(
      readFileSync(new URL(`./fixtures/commands-${name}.json`, import.meta.url), 'utf8'),
    ) as object[];
    const replies = await runSteps(engine.uri, steps);
    const pairs = replies.map((reply, i) => ({
      step: EJSON.stringify(steps[i]),
      is: reply,
      was: JSON.stringify(recorded[i]),
    }));
    expect(pairs.filter(({ is, was }) => is !== was)).toEqual([]);
  });
});
