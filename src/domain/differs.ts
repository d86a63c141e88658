import { isDeepStrictEqual } from 'node:util';

/** Whether an update changes a record; an update without effect appends no event. */
export function differs<Record extends object>(before: Record, set: Partial<Record>): boolean {
  const names = Object.keys(set) as Array<keyof Record>;
  return names.some((name) => !isDeepStrictEqual(before[name], set[name]));
}
