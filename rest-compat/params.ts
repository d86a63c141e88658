import { z } from 'zod';
import { OperationError } from '../src/errors.ts';
import { readQueryValues } from './query-values.ts';

/**
 * Building blocks of route parameters, from which OpenAPI is generated too. They expect JSON types, as in bodies;
 * `query-values.ts` first converts the text of queries and paths.
 */
export const text = (bounds: { min?: number; max: number }) =>
  z
    .string()
    .min(bounds.min ?? 1)
    .max(bounds.max);

export const id = (max = 900) => text({ min: 1, max });

export const bool = () => z.boolean();

/** A boolean filter; absent and null match both values. */
export const boolOrBoth = () => z.boolean().nullable();

/** A whole number. */
export const int = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

/** In a query: `a[]=x`, `a[0]=x`, or `a=x` once or repeatedly. */
export const list = <Item extends z.ZodType>(item: Item, { min = 0, max }: { min?: number; max: number }) =>
  z.array(item).min(min).max(max);

/** `limit` for the first page of a list, `token` for the others. */
export const pageFields = () => ({
  limit: int({ min: 1, max: 100 }).optional(),
  token: text({ max: 1_000 }).optional(),
});

/** The same as `options[limit]` and `options[token]`. */
export const pagingOptions = () => z.object(pageFields()).optional();

export interface RawParams {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** Some published clients percent-encode ids in `/list` queries twice: `docs/interface.md#requests`. */
export function decodeOnceMore(value: string): string {
  if (!/%[0-9A-Fa-f]{2}/.test(value)) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** An id in a `/list` query, which may be encoded twice. */
export const listedId = (max: number) =>
  z.preprocess((value) => (typeof value === 'string' ? decodeOnceMore(value) : value), id(max));

/**
 * Merges the parameters of path, query and body. Clients repeat path ids in query or body.
 * @throws {OperationError} INVALID_PARAMETERS for contradicting values, or a body that is not an object
 */
export function mergeParams(schema: z.ZodType, { path, query, body }: RawParams): Record<string, unknown> {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw new OperationError('INVALID_PARAMETERS', { detail: ['The body must be a JSON object.'] });
  }
  const merged: Record<string, unknown> = Object.create(null);
  const sources = [readQueryValues(schema, query), body ?? {}, readQueryValues(schema, path)];
  for (const source of sources as Record<string, unknown>[]) {
    for (const [name, value] of Object.entries(source)) {
      if (name in merged && JSON.stringify(merged[name]) !== JSON.stringify(value)) {
        throw new OperationError('INVALID_PARAMETERS', { detail: [`${name} is given twice with different values.`] });
      }
      merged[name] = value;
    }
  }
  return merged;
}

/** @throws {OperationError} INVALID_PARAMETERS with a line for each invalid parameter */
export function parseParams<Schema extends z.ZodType>(schema: Schema, raw: RawParams): z.output<Schema> {
  return checkParams(schema, mergeParams(schema, raw));
}

/** As {@link parseParams}, for merged parameters. */
export function checkParams<Schema extends z.ZodType>(schema: Schema, params: object): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const detail = parsed.error.issues.slice(0, 20).map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new OperationError('INVALID_PARAMETERS', { detail, path: parsed.error.issues[0]?.path.map(String) ?? [] });
}
