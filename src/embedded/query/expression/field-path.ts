import { CommandError, spendSteps } from '../../lib/index.ts';

/** The maximum number of components of a path, as in MongoDB. */
export const MAX_PARTS = 200;

/** Splits a dotted path of an expression or a projection; empty and `$`-prefixed components are errors. */
export function fieldPathParts(path: string): string[] {
  if (path === '') throw new CommandError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw new CommandError(40353, "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  if (parts.length > MAX_PARTS) throw new CommandError(15, 'FieldPath is too long');
  spendSteps(2 * parts.length);
  for (const part of parts) {
    if (part === '') throw new CommandError(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$')) {
      throw new CommandError(
        16410,
        "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
      );
    }
    if (part.includes('\0')) throw new CommandError(16411, 'FieldPath field names may not contain null bytes.');
  }
  return parts;
}
