import type { z } from 'zod';
import { OperationError } from '../src/errors.ts';
import { badToken, decodePageToken, digestOf, type ListParameters, MAX_TOKEN, type PageToken } from './page-token.ts';
import { checkParams } from './params.ts';
import { readQueryValues } from './query-values.ts';
import type { Route } from './route.ts';

/** Parameters that select a page of a list, not the list. */
const PAGE_PARAMETERS = new Set(['token', 'limit', 'pageSize', 'skip', 'first', 'last', 'around']);

export interface ContinuedList {
  /** Output of the route's schema. */
  params: unknown;
  /** The parameters that page tokens of the answer carry. */
  parameters: ListParameters;
  /** Whether the client reads the page that follows from `previous`: `docs/interface.md#query-comments`. */
  continuesWithPrevious: boolean;
}

/**
 * Combines the parameters of a request with those that its page token carries. Parameters repeated beside the token
 * must select the same list: `docs/decisions/0020-page-tokens-carry-their-list.md`.
 *
 * @param given output of `mergeParams`
 * @throws {OperationError} BAD_REQUEST naming a parameter that contradicts the token, INVALID_PARAMETERS
 */
export function continueList(route: Route, given: Record<string, unknown>): ContinuedList {
  const schema = route.params as unknown as z.ZodObject;
  const inPath = new Set([...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!));
  const listParameters = (from: Record<string, unknown>) => listParametersOf(schema, inPath, from);
  const token = tokenOf(given);
  if (!token?.parameters) {
    const params = checkParams(schema, given);
    const continuesWithPrevious =
      !token && (route.continuesWithPrevious as ((params: unknown) => boolean) | undefined)?.(params) === true;
    return { params, parameters: listParameters(given), continuesWithPrevious };
  }
  const carried = readQueryValues(schema, unflatten(token.parameters));
  const repeated = listParameters(given);
  const missing = Object.keys(token.digests).find((name) => !(name in repeated));
  if (missing !== undefined)
    throw tokenError(missing, 'is too long for the paging token to carry: repeat it with the token');
  const compared = omit(given, route.tokenDecides ?? []);
  const first = join(carried, pick(given, [...inPath, ...Object.keys(token.digests)]));
  const original = listKey(route, parseCarried(schema, first));
  for (const [name, digest] of Object.entries(token.digests)) {
    if (digest !== digestOf(repeated[name])) throw tokenError(name, DIFFERS);
  }
  const isSame = (params: Record<string, unknown>) => listKey(route, checkParams(schema, params)) === original;
  if (!isSame(join(first, compared))) {
    const names = Object.keys(listParameters(compared));
    const name = names.find((one) => !isSame(join(first, pick(compared, [one])))) ?? names[0];
    if (name !== undefined) throw tokenError(name, DIFFERS);
  }
  // The spelling in the token takes precedence, because its cursors are bound to it.
  const params = checkParams(schema, join(compared, first));
  return { params, parameters: listParameters(first), continuesWithPrevious: token.continuesWithPrevious === true };
}

const DIFFERS = 'differs from the list that the paging token continues';

/** A string that is equal for parameters that select the same list, however they are spelled. */
function listKey(route: Route, params: unknown): string {
  const variables = (route.variables as (params: unknown) => object)(params);
  const entries = Object.entries(variables).filter(([name]) => !PAGE_ARGUMENTS.has(name));
  return JSON.stringify(Object.fromEntries(entries), (_, value: unknown) =>
    Array.isArray(value) ? [...new Set(value)].sort() : value,
  );
}

/** Arguments of connections that select a page. */
const PAGE_ARGUMENTS = new Set(['first', 'after', 'last', 'before', 'skip', 'around']);

function tokenOf({ token, options }: Record<string, unknown>): PageToken | null {
  const text = token ?? (options as { token?: unknown } | undefined)?.token;
  // The schema rejects tokens that are not strings or are too long.
  return typeof text === 'string' && text !== '' && text.length <= MAX_TOKEN ? decodePageToken(text) : null;
}

function parseCarried(schema: z.ZodObject, carried: Record<string, unknown>): object {
  const parsed = schema.safeParse(carried);
  if (!parsed.success) throw badToken();
  return parsed.data;
}

function tokenError(name: string, fault: string): OperationError {
  return new OperationError('BAD_REQUEST', {
    message: `${name} ${fault}.`,
    detail: [`${name}: ${fault}`],
    path: name.split('.'),
  });
}

/** The parameters that select the list. Fields of `options` are on the same level: `options.sortBy`. */
function listParametersOf(schema: z.ZodObject, inPath: Set<string>, given: Record<string, unknown>): ListParameters {
  const parameters: ListParameters = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || inPath.has(name) || PAGE_PARAMETERS.has(name) || !(name in schema.shape)) continue;
    if (name !== 'options') parameters[name] = value;
    else if (isObject(value)) {
      for (const [option, inner] of Object.entries(value)) {
        if (inner !== undefined && !PAGE_PARAMETERS.has(option)) parameters[`options.${option}`] = inner;
      }
    }
  }
  return parameters;
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

/** Merges parameters, and the fields of their `options`; later sources win. */
function join(...sources: Record<string, unknown>[]): Record<string, unknown> {
  const joined: Record<string, unknown> = Object.assign(Object.create(null), ...sources);
  const options = sources.map((source) => source.options).filter((one) => one !== undefined);
  if (options.length > 1 && options.every(isObject)) joined.options = Object.assign({}, ...options);
  return joined;
}

/** The named parameters that are present. */
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
