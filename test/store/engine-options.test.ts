import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPTION_PROBES, type OptionAnswer, runOptionProbes } from './command-options.ts';
import { startEngine, type TestEngine } from './engine-support.ts';

const REFUSAL = 'not supported by the embedded store';

describe('every command option is applied as recorded from MongoDB 7.0, or rejected by name', () => {
  const recorded = JSON.parse(
    readFileSync(new URL('./fixtures/command-options.json', import.meta.url), 'utf8'),
  ) as string[];
  let engine: TestEngine;
  let answers: OptionAnswer[];
  beforeAll(async () => {
    engine = await startEngine({ refuseUnindexed: false });
    answers = await runOptionProbes(engine.uri);
  });
  afterAll(() => engine.close());

  it('has a recorded reply for each option', () => {
    expect(recorded).toHaveLength(OPTION_PROBES.length);
  });

  it.each(OPTION_PROBES.map(({ name }, at) => ({ name, at })))('$name', ({ at }) => {
    const { shown, text } = answers[at]!;
    if (!text.includes(REFUSAL)) expect(shown).toBe(recorded[at]);
  });
});
