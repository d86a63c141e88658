import type { z } from 'zod';
import { OperationError } from '../src/errors.ts';
import { badToken, decodePageToken, digestOf, type ListParameters, MAX_TOKEN, type PageToken } from './page-token.ts';
import { checkParams } from './params.ts';
import { readQueryValues } from './query-values.ts';
import type { Route } from './route.ts';

/** Parameters that say where a page begins and how long it is, not which list it belongs to. */
const PLACE = new Set(['token', 'limit', 'pageSize', 'skip', 'first', 'last', 'around']);

export interface ContinuedList {
  /** As the route's schema makes them. */
  params: unknown;
  /** What the page tokens of the answer carry. */
  parameters: ListParameters;
}

/**
 * The parameters of a page: those of the request, and for a later page those that its token carries. Clients may repeat
 * parameters with the token, which must then agree.
 *
 * @param given merged, with text converted (`mergeParams`)
 * @throws {OperationError} BAD_REQUEST naming a parameter that contradicts the token, INVALID_PARAMETERS
 */
export function continueList(route: Route, given: Record<string, unknown>): ContinuedList {
  const schema = route.params as unknown as z.ZodObject;
  const inPath = new Set([...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!));
  const shaping = (from: Record<string, unknown>) => shapingOf(schema, inPath, from);
  const token = tokenOf(given);
  if (!token?.parameters) return { params: checkParams(schema, given), parameters: shaping(given) };
  const carried = readQueryValues(schema, unflatten(token.parameters));
  const repeated = shaping(given);
  const missing = Object.keys(token.digests).find((name) => !(name in repeated));
  if (missing !== undefined)
    throw refusal(missing, 'is too long for the paging token to carry: repeat it with the token');
  const settled = omit(given, route.tokenDecides ?? []);
  const first = join(carried, pick(given, [...inPath, ...Object.keys(token.digests)]));
  const original = listOf(route, parseCarried(schema, first));
  for (const [name, digest] of Object.entries(token.digests)) {
    if (digest !== digestOf(repeated[name])) throw refusal(name, DIFFERS);
  }
  const isSame = (params: Record<string, unknown>) => listOf(route, checkParams(schema, params)) === original;
  if (!isSame(join(first, settled))) {
    const names = Object.keys(shaping(settled));
    const name = names.find((one) => !isSame(join(first, pick(settled, [one])))) ?? names[0];
    if (name !== undefined) throw refusal(name, DIFFERS);
  }
  // However the client spells the list now: its cursors belong to the first spelling.
  return { params: checkParams(schema, join(settled, first)), parameters: shaping(first) };
}

const DIFFERS = 'differs from the list that the paging token continues';

/** Which list the parameters ask for, in whatever way they are spelled: as text, to compare. */
function listOf(route: Route, params: unknown): string {
  const variables = (route.variables as (params: unknown) => object)(params);
  const shaping = Object.entries(variables).filter(([name]) => !PLACE_ARGUMENTS.has(name));
  return JSON.stringify(Object.fromEntries(shaping), (_, value: unknown) =>
    Array.isArray(value) ? [...new Set(value)].sort() : value,
  );
}

/** Arguments of connections that say where a page begins and how long it is. */
const PLACE_ARGUMENTS = new Set(['first', 'after', 'last', 'before', 'skip', 'around']);

function tokenOf({ token, options }: Record<string, unknown>): PageToken | null {
  const text = token ?? (options as { token?: unknown } | undefined)?.token;
  // What is no text is left to the schema to refuse, as is what is too long.
  return typeof text === 'string' && text !== '' && text.length <= MAX_TOKEN ? decodePageToken(text) : null;
}

function parseCarried(schema: z.ZodObject, carried: Record<string, unknown>): object {
  const parsed = schema.safeParse(carried);
  if (!parsed.success) throw badToken();
  return parsed.data;
}

function refusal(name: string, fault: string): OperationError {
  return new OperationError('BAD_REQUEST', {
    message: `${name} ${fault}.`,
    detail: [`${name}: ${fault}`],
    path: name.split('.'),
  });
}

/** The parameters that shape the list, with the fields of `options` beside the others: `options.sortBy`. */
function shapingOf(schema: z.ZodObject, inPath: Set<string>, given: Record<string, unknown>): ListParameters {
  const shaping: ListParameters = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || inPath.has(name) || PLACE.has(name) || !(name in schema.shape)) continue;
    if (name !== 'options') shaping[name] = value;
    else if (isObject(value)) {
      for (const [option, inner] of Object.entries(value)) {
        if (inner !== undefined && !PLACE.has(option)) shaping[`options.${option}`] = inner;
      }
    }
  }
  return shaping;
}

function unflatten(parameters: ListParameters): Record<string, unknown> {
  const nested: Record<string, unknown> = Object.create(null);
  const options: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(parameters)) {
    if (name.startsWith('options.')) options[name.slice('options.'.length)] = value;
    else nested[name] = value;
  }
  return Object.keys(options).length > 0 ? { ...nested, options } : nested;
}

/** Later sources win, field by field of `options`. */
function join(...sources: Record<string, unknown>[]): Record<string, unknown> {
  const joined: Record<string, unknown> = Object.assign(Object.create(null), ...sources);
  const options = sources.map((source) => source.options).filter((one) => one !== undefined);
  if (options.length > 1 && options.every(isObject)) joined.options = Object.assign({}, ...options);
  return joined;
}

/** Those of the parameters that are given. */
function pick(given: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const found = names.filter((name) => valueAt(given, name) !== undefined);
  return unflatten(Object.fromEntries(found.map((name) => [name, valueAt(given, name)])));
}

function omit(given: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const left: Record<string, unknown> = { ...given, ...(isObject(given.options) && { options: { ...given.options } }) };
  for (const name of names) {
    if (name.startsWith('options.'))
      delete (left.options as Record<string, unknown> | undefined)?.[name.slice('options.'.length)];
    else delete left[name];
  }
  return left;
}

function valueAt(from: object, name: string): unknown {
  const [first, second] = name.split('.') as [string, string?];
  const value = (from as Record<string, unknown>)[first];
  return second === undefined ? value : isObject(value) ? value[second] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
