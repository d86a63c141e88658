import type { Document } from 'bson';
import { badValue, CommandError } from './errors.ts';
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
  if (to.startsWith('$')) {
    throw new CommandError(52, `The dollar ($) prefixed field in '${to}' is not allowed in the context of an update.`);
  }
  if (from === to) throw badValue(`The source and target field for $rename must differ: ${from}: "${to}"`);
  if (from.startsWith(`${to}.`) || to.startsWith(`${from}.`)) {
    throw badValue(`The source and target field for $rename must not be on the same path: ${from}: "${to}"`);
  }
  const source = from.split('.');
  const read = (document: Document) => readThroughDocuments(document, source, 'source');
  addModifier(root, from, { needsPath: false, apply: () => undefined });
  addModifier(root, to, {
    needsPath: ({ original }) => read(original) !== undefined,
    apply(current, { original }) {
      const value = read(original);
      if (value === undefined) return current;
      readThroughDocuments(original, to.split('.'), 'destination');
      if (to === '_id' && fieldOf(original, '_id') !== undefined) throw immutableId();
      return value;
    },
  });
}

const immutableId = (): CommandError =>
  new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");

function readThroughDocuments(document: Document, parts: readonly string[], role: string): unknown {
  let value: unknown = document;
  for (const [i, part] of parts.entries()) {
    if (Array.isArray(value)) {
      throw badValue(
        `The ${role} field cannot be an array element, '${parts.join('.')}' in doc with _id: ${describe(document._id)} has an array field called '${parts[i - 1]}'`,
      );
    }
    if (value === undefined) return undefined;
    if (!isDocument(value)) {
      throw new CommandError(28, `Cannot create field '${part}' in element {${parts[i - 1]}: ${describe(value)}}`);
    }
    value = fieldOf(value, part);
  }
  return value;
}
