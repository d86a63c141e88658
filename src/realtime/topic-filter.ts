import { OperationError } from '../errors.ts';

/** Whether an event with this path matches the topic. */
export type TopicFilter = (path: string) => boolean;

const MAX_TOPIC = 900;

/**
 * Parses a topic: a path in which `+` matches one part, and a final `#` matches the path before it and everything below,
 * as in MQTT 3.1.1. See docs/reference/events.md.
 *
 * @throws {OperationError} INVALID_PARAMETERS for an empty topic, more than 900 characters, or a misplaced wildcard
 */
export function topicFilter(topic: string): TopicFilter {
  const parts = topic.split('/');
  const matchesBelow = parts.at(-1) === '#';
  if (matchesBelow) parts.pop();
  const hasMisplacedWildcard = (part: string) => part !== '+' && /[+#]/.test(part);
  if (topic === '' || topic.length > MAX_TOPIC || !topic.isWellFormed() || parts.some(hasMisplacedWildcard)) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: [`topic: a path of at most ${MAX_TOPIC} characters, with + for one part and # at the end for the rest`],
      path: ['topic'],
    });
  }
  if (!matchesBelow && !parts.includes('+')) return (path) => path === topic;
  return (path) => {
    const given = path.split('/');
    if (matchesBelow ? given.length < parts.length : given.length !== parts.length) return false;
    return parts.every((part, index) => part === '+' || part === given[index]);
  };
}
