import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPTION_PROBES, type OptionAnswer, runOptionProbes } from './command-options.ts';
import { startEngine, type TestEngine } from './engine-support.ts';

const REFUSAL = 'not supported by the embedded store';

describe('every option of a command is applied as MongoDB 7.0 recorded, or refused by name', () => {
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

  it('has a recorded answer for each option', () => {
    expect(recorded).toHaveLength(OPTION_PROBES.length);
  });

  it.each(OPTION_PROBES.map(({ name }, at) => ({ name, at })))('$name', ({ at }) => {
    const { shown, text } = answers[at]!;
    if (!text.includes(REFUSAL)) expect(shown).toBe(recorded[at]);
  });
});
