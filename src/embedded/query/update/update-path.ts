import { badValue, CommandError, MAX_DEPTH, tooDeep } from '../../lib/index.ts';
import type { ArrayFilters } from '../filter/array-filters.ts';

/** Validates a path of an update and records the array filters that it uses. */
export function checkUpdatePath(path: string): void {
  if (path === '') throw new CommandError(56, 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.length > MAX_DEPTH) throw tooDeep();
  if (parts.filter((part) => part === '$').length > 1) {
    throw badValue(`Too many positional (i.e. '$') elements found in path '${path}'`);
  }
  for (const [i, part] of parts.entries()) {
    if (part === '')
      throw new CommandError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
    if (!part.startsWith('$')) continue;
    const choice = /^\$\[(.*)\]$/.exec(part);
    if (i === 0 && part === '$')
      throw badValue(`Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
    if (i === 0 && choice)
      throw badValue(
        `Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '${path}'`,
      );
  }
}

/** Records that a path component uses an array filter. @throws CommandError 2 if it is not defined */
export function useArrayFilter(part: string, path: string, arrayFilters: ArrayFilters): void {
  const identifier = /^\$\[(.+)\]$/.exec(part)?.[1];
  if (identifier) arrayFilters.use(identifier, path);
}

/** Asserts that an update does not create a field whose name begins with a dollar sign. @throws CommandError 52 */
export function assertWritable(path: string): void {
  if (!path.startsWith('$')) return;
  throw new CommandError(
    52,
    `The dollar ($) prefixed field '${path}' is not allowed in the context of an update. Consider using an aggregation pipeline with $replaceWith.`,
  );
}
