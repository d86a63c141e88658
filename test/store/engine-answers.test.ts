import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';
import { PROBES } from './probes/all.ts';
import { runOnServer } from './probes/run-on-server.ts';
import { comparable, readRecording } from './recordings.ts';

/** language.test.ts runs the same probes on the query language only; here they also pass driver, wire and storage. */
describe('through the driver, the engine returns the replies recorded from MongoDB 7.0', () => {
  let engine: TestEngine;
  let client: MongoClient;

  beforeAll(async () => {
    engine = await startEngine({ refuseUnindexed: false });
    client = await MongoClient.connect(engine.uri);
  });
  afterAll(async () => {
    await client.close();
    await engine.close();
  });

  it.each(Object.entries(PROBES))('%s', async (file, probes) => {
    const recording = readRecording(file);
    const outcomes = await runOnServer(client.db(`probes_${file}`), probes);
    const differing = probes.filter((probe) => {
      const [is, was] = [outcomes.get(probe.name)!, recording.get(probe.name)!];
      return comparable(is, was, probe) !== comparable(was, was, probe);
    });
    const report = differing.map(({ name }) => ({ name, is: outcomes.get(name), was: recording.get(name) }));
    expect(report).toEqual([]);
  });
});
