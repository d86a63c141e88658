import { EVENT_NAMES, EVENTS } from '../src/events/catalogue.ts';
import { TOPIC_PATTERNS, type TopicPattern } from '../src/realtime/mqtt/topic-patterns.ts';
import { replaceSections, table } from './markdown.ts';

/** `docs/reference/mqtt.md` with its topics generated from the code. */
export function printMqtt(page: URL): string {
  return replaceSections(page, { topics: table(['topic', 'delivers', 'events', 'granted to users who'], rows()) });
}

function rows(): string[][] {
  return TOPIC_PATTERNS.map((one) => [
    `\`${['{network}', one.pattern].filter(Boolean).join('/')}\``,
    one.about,
    eventsOf(one),
    one.access,
  ]);
}

/** The subjects with realtime events, as in `post.*`. */
function eventsOf({ subjects }: TopicPattern): string {
  const delivered = subjects.filter((subject) =>
    EVENT_NAMES.some((name) => EVENTS[name].realtime && name.startsWith(`${subject}.`)),
  );
  return delivered.map((subject) => `\`${subject}.*\``).join(', ') || 'none yet';
}
