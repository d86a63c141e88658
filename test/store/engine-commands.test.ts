import { readFileSync } from 'node:fs';
import { EJSON, Long, ObjectId } from 'bson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Request } from '../../src/embedded/commands/command.ts';
import { hello } from '../../src/embedded/commands/server-commands.ts';
import { COMMAND_STEPS } from './command-steps/command-steps.ts';
import { startEngine, type TestEngine } from './engine-support.ts';
import { runSteps } from './run-steps.ts';

describe('sequences of commands get the replies recorded from MongoDB 7.0', () => {
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

it('a waiting hello ends when its connection closes', async () => {
  const closing = new AbortController();
  const processId = new ObjectId();
  const topologyVersion = { processId, counter: Long.ZERO };
  const request = {
    engine: { processId, settings: { address: 'store.sock', term: 1 } },
    connection: { id: 1, isClosed: false, closed: closing.signal },
    body: { hello: 1, topologyVersion, maxAwaitTimeMS: 2 ** 31 },
  };
  const reply = hello.run(request as unknown as Request);
  closing.abort();
  expect(await reply).toMatchObject({ isWritablePrimary: true, topologyVersion });
});
