import { OperationError } from '../errors.ts';

/** Whether an event of this path is one of those asked for. */
export type TopicFilter = (path: string) => boolean;

const MAX_TOPIC = 900;

/**
 * Reads a topic as the published clients write them (legacy-facts §4): a path, in which `+` stands for any one part and
 * a last `#` for what is there and everything below it, as in MQTT 3.1.1.
 *
 * @throws {OperationError} INVALID_PARAMETERS for more than 900 characters, an empty one, and wildcards elsewhere
 */
export function topicFilter(topic: string): TopicFilter {
  const parts = topic.split('/');
  const isRest = parts.at(-1) === '#';
  if (isRest) parts.pop();
  const isWild = (part: string) => part !== '+' && /[+#]/.test(part);
  if (topic === '' || topic.length > MAX_TOPIC || !topic.isWellFormed() || parts.some(isWild)) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: [`topic: a path of at most ${MAX_TOPIC} characters, with + for one part and # at the end for the rest`],
      path: ['topic'],
    });
  }
  if (!isRest && !parts.includes('+')) return (path) => path === topic;
  return (path) => {
    const given = path.split('/');
    if (isRest ? given.length < parts.length : given.length !== parts.length) return false;
    return parts.every((part, index) => part === '+' || part === given[index]);
  };
}
