import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from './change-event-answers.ts';
import { EVENT_CASES } from './change-event-cases.ts';
import { startEngine, type TestEngine } from './engine-support.ts';

const recorded: string[] = JSON.parse(readFileSync(new URL('./fixtures/change-events.json', import.meta.url), 'utf8'));

describe('a change event has the content recorded from MongoDB 7.0 for the same change', () => {
  let engine: TestEngine;
  let events: string[];
  beforeAll(async () => {
    engine = await startEngine();
    events = await eventsOf(engine.uri, EVENT_CASES);
  });
  afterAll(() => engine.close());

  it.each(EVENT_CASES.map(({ before, update }, n) => ({ n, change: JSON.stringify([before, update]).slice(0, 90) })))(
    '$change',
    ({ n }) => expect(events[n]).toBe(recorded[n]),
  );
});
