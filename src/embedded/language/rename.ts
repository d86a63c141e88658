import type { Document } from 'bson';
import { badValue, CommandError } from './errors.ts';
import { isIdentical } from './identical.ts';
import { addModifier, type UpdateBranch } from './update-tree.ts';
import { describe, fieldOf, isDocument } from './values.ts';

/** Adds `$rename`: the source goes away and its value stands at the target. Neither may lie in an array. */
export function addRename(root: UpdateBranch, from: string, to: unknown): void {
  if (typeof to !== 'string') throw badValue(`The 'to' field for $rename must be a string: ${from}: ${describe(to)}`);
  if (to === '') throw new CommandError(56, 'An empty update path is not valid.');
  if (to.split('.').includes(''))
    throw new CommandError(56, `The update path '${to}' contains an empty field name, which is not allowed.`);
  for (const [role, path] of [
    ['source', from],
    ['destination', to],
  ] as const) {
    if (path.split('.').some((part) => part === '$' || part.startsWith('$['))) {
      throw badValue(`The ${role} field for $rename may not be dynamic: ${path}`);
    }
  }
  if (to.split('.').some((part) => part.startsWith('$'))) {
    throw new CommandError(52, `The dollar ($) prefixed field in '${to}' is not allowed in the context of an update.`);
  }
  if (from === to) throw badValue(`The source and target field for $rename must differ: ${from}: "${to}"`);
  const source = from.split('.');
  addModifier(root, from, { creates: false, apply: () => undefined });
  addModifier(root, to, {
    creates: false,
    apply(current, { original }) {
      const value = readThroughDocuments(original, source, 'source');
      if (value === undefined) return current;
      readThroughDocuments(original, to.split('.'), 'destination');
      return isIdentical(current, value) ? current : value;
    },
  });
}

function readThroughDocuments(document: Document, parts: readonly string[], role: string): unknown {
  let value: unknown = document;
  for (const [i, part] of parts.entries()) {
    if (Array.isArray(value)) {
      throw badValue(
        `The ${role} field cannot be an array element, '${parts.join('.')}' in doc with _id: ${describe(document._id)} has an array field called '${parts[i - 1]}'`,
      );
    }
    if (!isDocument(value)) {
      if (role === 'destination' && value !== undefined) {
        throw new CommandError(28, `Cannot create field '${part}' in element {${parts[i - 1]}: ${describe(value)}}`);
      }
      return undefined;
    }
    value = fieldOf(value, part);
  }
  return value;
}
