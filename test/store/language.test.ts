import { describe, expect, it } from 'vitest';
import { PROBES } from './probes/all.ts';
import type { Outcome, Probe } from './probes/probe.ts';
import { canonical, readRecording } from './recordings.ts';
import { replay } from './replay.ts';

/** Write errors carry no name; some answers have no order, and an upsert takes fields from its filter in any order. */
function comparable(outcome: Outcome, recorded: Outcome, { operation }: Probe): string {
  if ('code' in outcome) return canonical('codeName' in recorded ? outcome : { code: outcome.code });
  if (operation.kind === 'update' && operation.upsert) return canonical(outcome, { sortsFields: true });
  if (operation.kind !== 'aggregate' || !operation.isUnordered) return canonical(outcome);
  const documents = outcome.documents.map((document) => canonical({ documents: [document] })).sort();
  return documents.join('\n');
}

describe.each(Object.entries(PROBES))('%s answer as MongoDB 7.0 recorded', (file, probes) => {
  const recording = readRecording(file);

  it.each(probes.map((probe) => [probe.name, probe] as const))('%s', (name, probe) => {
    const recorded = recording.get(name);
    expect(recorded, 'no recording: run scripts/record-mongo-answers.ts').toBeDefined();
    expect(comparable(replay(probe), recorded!, probe)).toBe(comparable(recorded!, recorded!, probe));
  });
});
