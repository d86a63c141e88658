import { type Document, Long } from 'bson';
import { CommandError, fieldOf, isDocument, setField, shallowCopy, typeOf } from '../../lib/index.ts';
import { fieldPathParts } from '../expression/field-path.ts';
import type { JoinTools } from './join-stages.ts';
import type { Stage } from './stages.ts';

/** Compiles `$unwind`: one document per element; a value that is not an array counts as a single element. */
export function compileUnwind(argument: unknown, { isTimeUp }: JoinTools): Stage {
  const { path, indexPath, keepsEmpty } = parseUnwind(argument);
  return function* (input) {
    for (const document of input) {
      if (document === undefined) {
        yield undefined;
        continue;
      }
      const value = readDocuments(document, path);
      if (Array.isArray(value) && value.length > 0) {
        for (const [i, element] of value.entries()) {
          const unwound = withValue(document, path, element);
          yield indexPath ? withValue(unwound, indexPath, Long.fromNumber(i)) : unwound;
          if (isTimeUp()) yield undefined;
        }
        continue;
      }
      const isEmpty = value == null || Array.isArray(value);
      if (isEmpty && !keepsEmpty) continue;
      const kept = Array.isArray(value) ? withValue(document, path, undefined) : document;
      yield indexPath ? withValue(kept, indexPath, null) : kept;
    }
  };
}

function parseUnwind(argument: unknown) {
  const given = isDocument(argument) ? argument : { path: argument };
  if (!isDocument(argument) && typeof argument !== 'string') {
    throw new CommandError(
      15981,
      `expected either a string or an object as specification for $unwind stage, got ${typeOf(argument)}`,
    );
  }
  const stray = Object.keys(given).find(
    (key) => !['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(key),
  );
  if (stray) throw new CommandError(28811, `unrecognized option to $unwind stage: ${stray}`);
  if (!('path' in given)) throw new CommandError(28812, 'no path specified to $unwind stage');
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: keeps = false } = given as Document;
  if (typeof path !== 'string')
    throw new CommandError(28808, `expected a string as the path for $unwind stage, got ${typeOf(path)}`);
  if (typeof keeps !== 'boolean')
    throw new CommandError(
      28809,
      `expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got ${typeOf(keeps)}`,
    );
  if (index !== undefined && (typeof index !== 'string' || index === ''))
    throw new CommandError(
      28810,
      `expected a non-empty string for the includeArrayIndex  option to $unwind stage, got ${typeOf(index)}`,
    );
  if (index?.startsWith('$'))
    throw new CommandError(
      28822,
      `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${index}`,
    );
  if (!path.startsWith('$'))
    throw new CommandError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  return {
    path: fieldPathParts(path.slice(1)),
    indexPath: index === undefined ? undefined : fieldPathParts(index),
    keepsEmpty: keeps,
  };
}

function readDocuments(document: Document, parts: readonly string[]): unknown {
  let value: unknown = document;
  for (const part of parts) {
    if (!isDocument(value)) return undefined;
    value = fieldOf(value, part);
  }
  return value;
}

/**
 * Returns a copy with a value set at a path through documents, replacing scalars on the path; undefined removes the
 * field.
 */
export function withValue(document: Document, parts: readonly string[], value: unknown): Document {
  const copy = shallowCopy(document);
  const [part, ...rest] = parts as [string, ...string[]];
  const inner = fieldOf(copy, part);
  const next = rest.length === 0 ? value : withValue(isDocument(inner) ? inner : {}, rest, value);
  if (next === undefined) delete copy[part];
  else setField(copy, part, next);
  return copy;
}
