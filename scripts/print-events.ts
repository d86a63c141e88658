import { documentOf } from '../rest-compat/realtime/event-documents.ts';
import { eventTypeName } from '../schema/event/event.ts';
import { eventSources } from '../schema/event/event-sources.ts';
import { subscriptionName } from '../schema/event/event-type.ts';
import { schema } from '../schema/index.ts';
import { EVENTS, type EventName, namesOf } from '../src/events/catalogue.ts';
import { EVENT_PAYLOADS, type EventKind } from '../src/events/event-payloads.ts';
import { replaceSections, table } from './markdown.ts';

const SOURCES = eventSources(schema);

/** `docs/reference/events.md` with its catalogue generated from the code. */
export function printEvents(page: URL): string {
  const catalogue = (Object.keys(EVENT_PAYLOADS) as EventKind[]).map(section).join('\n\n');
  return replaceSections(page, { catalogue });
}

function section(kind: EventKind): string {
  const names = namesOf(kind);
  const types = names.some((name) => EVENTS[name].realtime) ? `\`${eventTypeName(kind)}\` in GraphQL; ` : '';
  return [
    `### ${kind}`,
    `${types}\`data\` holds ${arraysOf(names[0]!)}.${others(names)}`,
    table(['event', 'what happened', 'subscription', 'webhook', 'caused by'], names.map(row)),
  ].join('\n\n');
}

function row(name: EventName): string[] {
  const { meaning, realtime, webhook } = EVENTS[name];
  const causes = SOURCES[name].map((cause) => (/^[a-z]\w+$/.test(cause) ? `\`${cause}\`` : cause));
  return [
    `\`${name}\``,
    meaning,
    realtime ? `\`${subscriptionName(name)}\`` : '',
    webhook === null ? '' : `\`${webhook}\``,
    causes.join(', '),
  ];
}

function arraysOf(name: EventName): string {
  const { arrays, reactor, fields } = documentOf(name);
  const reaction = reactor && `, and \`reactor\`, the reaction${reactor === 'listed' ? ', also in `reactions`' : ''}`;
  const own = fields && `, and ${listed(Object.keys(fields.schema))}`;
  return `${listed(arrays)}${reaction ?? own ?? ''}`;
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Arrays of the events of a kind that differ from those of its first event. */
function others([first, ...rest]: EventName[]): string {
  const differing = rest.filter((name) => arraysOf(name) !== arraysOf(first!));
  return differing.map((name) => ` Of \`${name}\`: ${arraysOf(name)}.`).join('');
}
