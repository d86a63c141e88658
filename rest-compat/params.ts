import { z } from 'zod';
import { OperationError } from '../src/errors.ts';

/**
 * Building blocks of route parameters. Query values arrive as text, body values as JSON; both pass through the same
 * schemas, which also describe the route in OpenAPI. An object where a string is due is always refused.
 */
export const text = (bounds: { min?: number; max: number }) =>
  z
    .string()
    .min(bounds.min ?? 1)
    .max(bounds.max);

export const id = (max = 900) => text({ min: 1, max });

const TRUE = new Set(['true', '1', true]);
const FALSE = new Set(['false', '0', false]);

/** `true`/`false` as text or JSON. */
export const bool = () =>
  z
    .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
    .transform((value) => TRUE.has(value) && !FALSE.has(value))
    .meta({ type: 'boolean' });

/** A boolean filter where absent, empty and `null` mean both. */
export const boolOrBoth = () =>
  z
    .union([z.boolean(), z.enum(['true', 'false', '1', '0', 'null', '']), z.null()])
    .transform((value) => (value === null || value === 'null' || value === '' ? null : TRUE.has(value)));

/** A whole number as text or JSON. */
export const int = (bounds: { min: number; max: number }) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d{1,15}$/, 'must be a whole number')
        .transform(Number),
    ])
    .pipe(z.number().int().min(bounds.min).max(bounds.max));

/** `a[]=x`, `a[0]=x`, repeated `a=x`, or a JSON array; a single `a=x` is a list of one. */
export const list = <Item extends z.ZodType>(item: Item, bounds: { min?: number; max: number }) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(item)
      .min(bounds.min ?? 0)
      .max(bounds.max),
  );

/** Paging of the deepObject style: `options[limit]` for the first page, `options[token]` for the others. */
export const pagingOptions = () =>
  z
    .object({
      limit: int({ min: 1, max: 100 }).optional(),
      token: text({ max: 1_000 }).optional(),
    })
    .optional();

export interface RawParams {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** Some published clients encode ids in `/list` queries twice (legacy-facts §1). */
export function decodeOnceMore(value: string): string {
  if (!/%[0-9A-Fa-f]{2}/.test(value)) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** An id in a `/list` query. */
export const listedId = (max: number) => decodedTwice(id(max));

/** Text that published clients may encode twice; anything else is left for the schema to refuse. */
export const decodedTwice = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? decodeOnceMore(value) : value), schema);

/**
 * Merges path, query and body into one set of parameters: clients repeat path ids in query or body, which must agree.
 * @throws {OperationError} INVALID_PARAMETERS when they do not, or when the body is no object
 */
export function mergeParams({ path, query, body }: RawParams): Record<string, unknown> {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw new OperationError('INVALID_PARAMETERS', { detail: ['The body must be a JSON object.'] });
  }
  const merged: Record<string, unknown> = Object.create(null);
  for (const source of [query, body ?? {}, path] as Record<string, unknown>[]) {
    for (const [name, value] of Object.entries(source)) {
      if (name in merged && JSON.stringify(merged[name]) !== JSON.stringify(value)) {
        throw new OperationError('INVALID_PARAMETERS', { detail: [`${name} is given twice with different values.`] });
      }
      merged[name] = value;
    }
  }
  return merged;
}

/** @throws {OperationError} INVALID_PARAMETERS with one line for each parameter at fault */
export function parseParams<Schema extends z.ZodType>(schema: Schema, raw: RawParams): z.output<Schema> {
  const parsed = schema.safeParse(mergeParams(raw));
  if (parsed.success) return parsed.data;
  const detail = parsed.error.issues.slice(0, 20).map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new OperationError('INVALID_PARAMETERS', { detail, path: parsed.error.issues[0]?.path.map(String) ?? [] });
}
