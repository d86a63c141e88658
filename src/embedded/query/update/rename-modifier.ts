import type { Document } from 'bson';
import { badValue, CommandError, describe, fieldOf, isDocument, MAX_DEPTH, tooDeep } from '../../lib/index.ts';
import { addModifier, type UpdateBranch } from './update-tree.ts';

/** Adds `$rename`: removes the source and sets its value at the target. Neither may be inside an array. */
export function addRename(root: UpdateBranch, from: string, to: unknown): void {
  if (typeof to !== 'string') throw badValue(`The 'to' field for $rename must be a string: ${from}: ${describe(to)}`);
  for (const [role, path] of [
    ['source', from],
    ['destination', to],
  ] as const) {
    if (path.split('.').length > MAX_DEPTH) throw tooDeep();
    if (path.split('.').some((part) => part === '$' || part.startsWith('$['))) {
      throw badValue(`The ${role} field for $rename may not be dynamic: ${path}`);
    }
  }
  addModifier(root, from, { needsPath: false, isMoving: true, apply: () => undefined });
  if (to === '') throw new CommandError(56, 'An empty update path is not valid.');
  if (to.split('.').includes(''))
    throw new CommandError(56, `The update path '${to}' contains an empty field name, which is not allowed.`);
  if (to.startsWith('$')) {
    throw new CommandError(52, `The dollar ($) prefixed field in '${to}' is not allowed in the context of an update.`);
  }
  if (from === to) throw badValue(`The source and target field for $rename must differ: ${from}: "${to}"`);
  if (from.startsWith(`${to}.`) || to.startsWith(`${from}.`)) {
    throw badValue(`The source and target field for $rename must not be on the same path: ${from}: "${to}"`);
  }
  addModifier(root, to, {
    needsPath: ({ original }) => readSource(original, from) !== undefined && assertNoArray(original, to),
    isNamedUnchanged: ({ original }) => readSource(original, from) !== undefined,
    apply(current, { original }) {
      const value = readSource(original, from);
      if (value === undefined) return current;
      assertNoArray(original, to);
      if (from === '_id' || from.startsWith('_id.')) throw immutableId();
      if (to === '_id' && fieldOf(original, '_id') !== undefined) throw immutableId();
      return value;
    },
  });
}

const immutableId = (): CommandError =>
  new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");

/** The value to move, undefined if missing. @throws CommandError 28 for a path through a scalar, 2 through an array */
function readSource(document: Document, path: string): unknown {
  const parts = path.split('.');
  let value: unknown = document;
  let array: string | undefined;
  for (const [i, part] of parts.entries()) {
    if (value === undefined) return undefined;
    if (isDocument(value)) value = fieldOf(value, part);
    else if (Array.isArray(value) && /^\d+$/.test(part)) {
      array ??= parts[i - 1];
      value = value[Number(part)];
    } else throw new CommandError(28, `Cannot create field '${part}' in element {${parts[i - 1]}: ${describe(value)}}`);
  }
  if (value !== undefined && array !== undefined) throw throughArray('source', path, array, document);
  return value;
}

function assertNoArray(document: Document, path: string): true {
  const parts = path.split('.');
  let value: unknown = document;
  for (const [i, part] of parts.entries()) {
    if (Array.isArray(value)) throw throughArray('destination', path, parts[i - 1]!, document);
    value = isDocument(value) ? fieldOf(value, part) : undefined;
  }
  return true;
}

const throughArray = (role: string, path: string, array: string, document: Document): CommandError =>
  badValue(
    `The ${role} field cannot be an array element, '${path}' in doc with _id: ${describe(document._id)} has an array field called '${array}'`,
  );
