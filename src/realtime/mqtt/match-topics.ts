import type { Context } from '../../context.ts';
import { TOPIC_PATTERNS, type TopicPattern } from './topic-patterns.ts';

interface ParsedPattern extends TopicPattern {
  parts: readonly string[];
}

const PATTERNS: readonly ParsedPattern[] = TOPIC_PATTERNS.map((one) => ({
  ...one,
  parts: one.pattern === '' ? [] : one.pattern.split('/'),
}));

const BY_SUBJECT = new Map<string, ParsedPattern[]>();
for (const pattern of PATTERNS) {
  for (const subject of pattern.subjects) BY_SUBJECT.set(subject, [...(BY_SUBJECT.get(subject) ?? []), pattern]);
}

/** Longest topic filter, in characters. */
const MAX_TOPIC = 900;

/**
 * Whether the viewer may subscribe to a topic filter of their network. A filter of an unknown form is refused like one
 * whose record the viewer does not see.
 */
export async function canSubscribe(context: Context, networkId: string, topic: string): Promise<boolean> {
  if (topic.length > MAX_TOPIC) return false;
  const [network, ...parts] = topic.split('/');
  if (network !== networkId) return false;
  const checks = PATTERNS.flatMap(({ parts: pattern, check }) => {
    const params = paramsOf(pattern, parts);
    return params ? [check(context, params, topic)] : [];
  });
  return (await Promise.all(checks)).includes(true);
}

/** The values of a pattern's parameters in a topic filter; null if the filter has another form. */
function paramsOf(pattern: readonly string[], parts: readonly string[]): { [name: string]: string } | null {
  if (pattern.length !== parts.length) return null;
  const params: { [name: string]: string } = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index]!;
    if (!isParameter(expected)) {
      if (part !== expected) return null;
    } else if (part === '' || /[+#]/.test(part)) return null;
    else params[expected.slice(1, -1)] = part;
  }
  return params;
}

const isParameter = (part: string): boolean => part.startsWith('{');

/** The topic filters to which an event on a topic without wildcards is delivered. */
export function filtersOf(eventType: string, topic: string): string[] {
  const [network, ...parts] = topic.split('/');
  const patterns = BY_SUBJECT.get(eventType.slice(0, eventType.indexOf('.'))) ?? [];
  return patterns.flatMap(({ parts: pattern }) => {
    const filter = filterOf(pattern, parts);
    return filter ? [[network, ...filter].join('/')] : [];
  });
}

/** A pattern with its parameters taken from a topic; null if the topic does not match it. */
function filterOf(pattern: readonly string[], parts: readonly string[]): string[] | null {
  const filter: string[] = [];
  for (const [index, expected] of pattern.entries()) {
    // As in MQTT 3.1.1, section 4.7.1.2, `#` includes the level above it.
    if (expected === '#') return [...filter, '#'];
    const part = parts[index];
    if (part === undefined) return null;
    if (isParameter(expected)) filter.push(part);
    else if (expected === '+' || expected === part) filter.push(expected);
    else return null;
  }
  return pattern.length === parts.length ? filter : null;
}
