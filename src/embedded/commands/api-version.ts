import type { Document } from 'bson';
import { CommandError, describe, isDocument, typeMismatch, typeOf } from '../lib/index.ts';

/** The supported commands that belong to version 1 of the Stable API. */
const VERSION_1: ReadonlySet<string> = new Set([
  'abortTransaction',
  'aggregate',
  'collMod',
  'commitTransaction',
  'count',
  'create',
  'createIndexes',
  'delete',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'endSessions',
  'explain',
  'find',
  'findAndModify',
  'getMore',
  'hello',
  'insert',
  'killCursors',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'ping',
  'refreshSessions',
  'update',
]);

const NAMES = ['apiVersion', 'apiStrict', 'apiDeprecationErrors'] as const;

/**
 * Validates the Stable API parameters of a command.
 *
 * @returns the parameters as text, for comparing the commands of a transaction or a cursor
 * @throws CommandError 322 for another version, 323 for a command outside of it with `apiStrict`, 14 or 4886600
 */
export function checkApiVersion(name: string, body: Document): string {
  const { apiVersion, apiStrict, apiDeprecationErrors } = body;
  if (apiVersion === undefined && apiStrict === undefined && apiDeprecationErrors === undefined) return '{}';
  assertType('apiVersion', apiVersion, 'string', 'string');
  assertType('apiStrict', apiStrict, 'boolean', 'bool');
  assertType('apiDeprecationErrors', apiDeprecationErrors, 'boolean', 'bool');
  if (apiVersion === undefined) {
    throw new CommandError(4886600, 'Provided apiStrict and/or apiDeprecationErrors without passing apiVersion');
  }
  if (apiVersion !== '1') throw new CommandError(322, `Cannot accept API version ${apiVersion}`);
  if (apiStrict) {
    const inner = name === 'explain' && isDocument(body.explain) ? Object.keys(body.explain)[0] : undefined;
    for (const command of inner === undefined ? [name] : [name, inner]) assertInVersion(command);
  }
  return describe(Object.fromEntries(NAMES.filter((key) => body[key] !== undefined).map((key) => [key, body[key]])));
}

function assertType(name: string, value: unknown, type: string, expected: string): void {
  if (value === undefined || typeof value === type) return;
  throw typeMismatch(
    `BSON field 'APIParametersFromClient.${name}' is the wrong type '${typeOf(value)}', expected type '${expected}'`,
  );
}

function assertInVersion(command: string): void {
  if (VERSION_1.has(command)) return;
  throw new CommandError(323, `Provided apiStrict:true, but the command ${command} is not in API Version 1.`);
}

/** @throws CommandError 347 if a later command of a transaction or a cursor has other parameters than the first */
export function assertSameApi(name: string, given: string, first: string, what: string): void {
  if (given === first) return;
  throw new CommandError(347, `API parameter mismatch: ${name} used params ${given}, ${what} used ${first}`);
}
