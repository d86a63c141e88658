import { isDeepStrictEqual } from 'node:util';

/** Whether an update changes a record: setting what is so already is nothing to tell of. */
export function differs<Record extends object>(before: Record, set: Partial<Record>): boolean {
  const names = Object.keys(set) as Array<keyof Record>;
  return names.some((name) => !isDeepStrictEqual(before[name], set[name]));
}
