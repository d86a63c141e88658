import { readFileSync } from 'node:fs';
import { formOf } from '../rest-compat/realtime/forms.ts';
import { eventTypeName } from '../schema/event/event.ts';
import { subscriptionName } from '../schema/event/event-type.ts';
import { LIVE_LIMITS } from '../schema/live/limits.ts';
import { EVENTS, type EventName, namesOf } from '../src/events/catalogue.ts';
import { CAUSES } from '../src/events/causes.ts';
import { KINDS, type KindName } from '../src/events/kinds.ts';

/** `docs/events.md` with what is printed from the code put between its marks. */
export function printEvents(page: URL): string {
  const sections = { catalogue: (Object.keys(KINDS) as KindName[]).map(section).join('\n\n'), limits: limits() };
  let text = readFileSync(page, 'utf8');
  for (const [name, printed] of Object.entries(sections)) {
    const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
    if (start < 0 || end < start) throw new Error(`docs/events.md has no section ${name}`);
    text = `${text.slice(0, start + opening.length)}\n\n${printed}\n\n${text.slice(end)}`;
  }
  return text;
}

function section(kind: KindName): string {
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
  const causes = CAUSES[name].map((cause) => (/^[a-z]\w+$/.test(cause) ? `\`${cause}\`` : cause));
  return [
    `\`${name}\``,
    meaning,
    realtime ? `\`${subscriptionName(name)}\`` : '',
    webhook === null ? '' : `\`${webhook}\``,
    causes.join(', '),
  ];
}

function arraysOf(name: EventName): string {
  const { arrays, hasReactor } = formOf(name);
  return `${arrays.map((array) => `\`${array}\``).join(', ')}${hasReactor ? ', and `reactor`, the reaction' : ''}`;
}

/** Events of the kind whose form the interface states in its own way. */
function others([first, ...rest]: EventName[]): string {
  const differing = rest.filter((name) => arraysOf(name) !== arraysOf(first!));
  return differing.map((name) => ` Of \`${name}\`: ${arraysOf(name)}.`).join('');
}

function limits(): string {
  const { initMs, payload, subscriptions, subscriptionsPerUser, subscription, operations } = LIVE_LIMITS;
  const { perUser, buffered, heartbeatMs } = LIVE_LIMITS;
  return table(
    ['what', 'bound', 'beyond it'],
    [
      ['until a socket says who it is', `${initMs / 1_000} s`, 'closed with 4408'],
      ['one message of a client', `${payload / 1_024} KiB`, 'closed with 1009'],
      ['subscriptions on one socket', String(subscriptions), '`RATE_LIMITED` for the next one'],
      ['subscriptions on all sockets of one user to one process', String(subscriptionsPerUser), '`RATE_LIMITED`'],
      ['one subscription with its variables', `${subscription / 1_024} Ki characters`, '`TOO_LARGE`'],
      ['queries and mutations under way on one socket', String(operations), '`RATE_LIMITED` for the next one'],
      ['connections of one user to one process', String(perUser), 'closed with 4429; 429 over HTTP'],
      ['bytes that wait for a slow reader', `${buffered / 1_048_576} MiB`, 'cut; its cursor brings it back'],
      ['between signs of life', `${heartbeatMs / 1_000} s`, 'a socket that answers none is cut'],
      ['sockets of one process', '`SOCKET_LIMIT`', '503'],
    ],
  );
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((cells) => cells[column]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
