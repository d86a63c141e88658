import { MAX_FILES } from '../../src/domain/file/create-files.ts';
import { OperationError } from '../../src/errors.ts';
import { exceededByJson } from '../../src/limits/json-limits.ts';
import { limitExceeded } from '../../src/limits/limits.ts';
import type { DocumentRequest } from '../documents/document-request.ts';

export interface UploadOperation extends DocumentRequest {
  operationName: string | null;
  variables: { [name: string]: unknown };
}

type Values = { [key: string]: unknown };

/**
 * The part `operations` of a multipart request.
 * @throws {OperationError} BAD_REQUEST for anything but one operation with variables
 */
export function parseOperation(text: unknown): UploadOperation {
  const operation = parseObject(text, 'operations');
  const { operationName = null, variables } = operation;
  if (operationName !== null && typeof operationName !== 'string') throw malformed('operations: `operationName`.');
  if (!isObject(variables)) throw malformed('operations: `variables` with a null for each file.');
  return { ...operation, operationName, variables };
}

/** Where each file of a request belongs, by the name of its part. */
export type FilePlaces = Map<string, (value: unknown) => void>;

/**
 * The part `map` of a multipart request: the path of a variable for each file.
 * @throws {OperationError} BAD_REQUEST unless each path leads to a null of its own in `variables`
 */
export function parseMap(text: unknown, variables: Values): FilePlaces {
  const entries = Object.entries(parseObject(text, 'map'));
  if (entries.length === 0 || entries.length > MAX_FILES) throw malformed(`map: 1 to ${MAX_FILES} files.`);
  const known = new Set<string>();
  return new Map(
    entries.map(([name, paths]) => {
      const path: unknown = Array.isArray(paths) && paths.length === 1 ? paths[0] : null;
      if (typeof path !== 'string' || known.has(path)) throw malformed('map: one path of its own for each file.');
      known.add(path);
      return [name, placeOf(path, variables)] as const;
    }),
  );
}

function placeOf(path: string, variables: Values): (value: unknown) => void {
  const [root, ...keys] = path.split('.');
  const last = keys.pop();
  if (root !== 'variables' || last === undefined) throw malformed('map: paths that start with `variables.`.');
  let container: unknown = variables;
  for (const key of keys) container = isContainer(container) && Object.hasOwn(container, key) ? container[key] : null;
  if (!isContainer(container) || !Object.hasOwn(container, last) || container[last] !== null)
    throw malformed('map: paths that lead to a null in `variables`.');
  const owner = container;
  return (value) => {
    owner[last] = value;
  };
}

function parseObject(text: unknown, part: string): Values {
  if (typeof text !== 'string') throw malformed(`${part}: JSON in a field, not a file.`);
  const excess = exceededByJson(text);
  if (excess) throw new OperationError('TOO_LARGE', { message: limitExceeded(excess) });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(`${part}: JSON.`);
  }
  if (!isObject(value)) throw malformed(`${part}: one JSON object, not a list.`);
  return value;
}

function isObject(value: unknown): value is Values {
  return isContainer(value) && !Array.isArray(value);
}

function isContainer(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}

/** @param expected the expected form of a part */
export function malformed(expected: string): OperationError {
  return new OperationError('BAD_REQUEST', { message: `The multipart request is malformed. Expected ${expected}` });
}
