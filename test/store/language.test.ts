import { describe, expect, it } from 'vitest';
import { PROBES } from './probes/all.ts';
import { comparable, readRecording } from './recordings.ts';
import { replay } from './replay.ts';

describe.each(Object.entries(PROBES))('%s return the results recorded from MongoDB 7.0', (file, probes) => {
  const recording = readRecording(file);

  it.each(probes.map((probe) => [probe.name, probe] as const))('%s', (name, probe) => {
    const recorded = recording.get(name);
    expect(recorded, 'no recording: run scripts/record-mongo-answers.ts').toBeDefined();
    expect(comparable(replay(probe), recorded!, probe)).toBe(comparable(recorded!, recorded!, probe));
  });
});
