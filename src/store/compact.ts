import { isLazy } from './lazy-document.ts';

/** V8 keeps an object to which about twenty members were added one by one in a hash table, which takes more memory. */
const MAX_ADDED = 16;
/** Larger objects are free-form documents, whose copies would share no hidden class. */
const MAX_COPIED = 128;

const EMPTY_LIST: readonly unknown[] = Object.freeze([]);
const EMPTY_OBJECT = Object.freeze({});

/**
 * Freezes a decoded value deeply, and lets it take less memory: empty lists and objects and equal dates of an object are
 * shared, lists have no spare capacity, and objects with many members are copied out of their hash table. Dates and ids cannot
 * be frozen; callers must not change them either.
 *
 * @returns the frozen value, or a frozen copy
 */
export function compact(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return compactList(value);
  if (Object.getPrototypeOf(value) !== Object.prototype || isLazy(value)) return value;
  return compactObject(value as { [name: string]: unknown });
}

function compactList(given: unknown[]): readonly unknown[] {
  if (given.length === 0) return EMPTY_LIST;
  // A copy has no spare capacity.
  const list = given.slice();
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    if (typeof item === 'object') list[index] = compact(item);
  }
  return Object.freeze(list);
}

function compactObject(given: { [name: string]: unknown }): object {
  const names = Object.keys(given);
  if (names.length === 0) return EMPTY_OBJECT;
  const object = names.length > MAX_ADDED && names.length <= MAX_COPIED ? { ...given } : given;
  let date: Date | null = null;
  for (const name of names) {
    const member = object[name];
    if (typeof member !== 'object' || member === null) continue;
    if (member instanceof Date) {
      // Most records were created and last changed at the same time.
      if (date !== null && date.getTime() === member.getTime()) object[name] = date;
      else date = member;
    } else object[name] = compact(member);
  }
  return Object.freeze(object);
}
