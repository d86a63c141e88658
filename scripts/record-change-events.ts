/** Runs the changes of `change-event-cases.ts` on a MongoDB 7.0 server (`MONGODB_URI`) and writes its events as a fixture. */
import { writeFileSync } from 'node:fs';
import { eventsOf } from '../test/store/change-event-answers.ts';
import { EVENT_CASES } from '../test/store/change-event-cases.ts';

const uri = process.env.MONGODB_URI;
if (!uri) throw new Error('set MONGODB_URI to the server to record');

const events = await eventsOf(uri, EVENT_CASES);
writeFileSync(
  new URL('../test/store/fixtures/change-events.json', import.meta.url),
  `${JSON.stringify(events, undefined, 1)}\n`,
);
console.log(`${events.length} events`);
