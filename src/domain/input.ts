import { z } from 'zod';
import { OperationError } from '../errors.ts';
import type { Json } from '../store/records/base.ts';

/**
 * Building blocks of input schemas. GraphQL and REST validate with the same schemas, so the same bounds apply to both.
 * Text is stored unchanged. Only lone surrogates are rejected, because UTF-8 cannot represent them.
 */
export const text = ({ min = 1, max }: { min?: number; max: number }) =>
  z
    .string()
    .min(min, min === 1 ? 'must not be empty' : `at least ${min} characters`)
    .max(max, `at most ${max.toLocaleString('en')} characters`)
    .refine((value) => value.isWellFormed(), 'must not contain a lone surrogate');

/** Marks the schema of an id, whose bounds are documented once for all ids. */
const idNotes = z.registry<{ isId: true }>();

export const isId = (schema: z.ZodType): boolean => idNotes.get(schema)?.isId === true;

/** A public id, of an existing record or chosen by the client. */
export const id = (max = 900) => text({ max }).register(idNotes, { isId: true });

/** Distinct user ids of at most 50 characters each; 1 to 100 by default. */
export const userIds = ({ min = 1, max = 100 }: { min?: number; max?: number } = {}) => ids({ min, max, length: 50 });

export const ids = ({ min = 0, max, length = 900 }: { min?: number; max: number; length?: number }) =>
  z
    .array(id(length))
    .min(min, `at least ${min}`)
    .max(max, `at most ${max}`)
    .transform((given) => [...new Set(given)]);

/** Tags of a query: at most 5 of 24 characters (`docs/interface.md#query-posts`). Records can have more and longer tags. */
export const tags = () =>
  z
    .array(text({ max: 100 }))
    .max(20, 'at most 20')
    .transform((given) => [...new Set(given)]);

/** Maximum of GraphQL's `Int`. */
export const MAX_INT = 2 ** 31 - 1;

export const integer = ({ min, max }: { min: number; max: number }) =>
  z
    .number()
    .int('must be a whole number')
    .min(min, `at least ${min}`)
    .max(max, `at most ${max.toLocaleString('en')}`);

/**
 * A field of an update that always has a value: it can be omitted, but null is rejected, because nothing could be stored
 * instead (`docs/interface.md#requests`). The type of its input allows null, because GraphQL has no type of fields that
 * can be omitted and not be null.
 */
export function withoutNull<Field extends z.ZodType>(field: Field) {
  const { description } = field;
  const value = (field instanceof z.ZodOptional ? (field.unwrap() as z.ZodNullable).unwrap() : field) as z.ZodType;
  const optional = value.optional();
  type Value = z.ZodType<NonNullable<z.output<Field>>, NonNullable<z.input<Field>> | null>;
  return (description ? optional.describe(description) : optional) as z.ZodOptional<Value>;
}

const MAX_JSON_BYTES = 65_536;
const MAX_JSON_DEPTH = 32;

/** Free-form JSON of the application: stored unchanged, never merged into a database filter. */
export const json = () =>
  z.custom<Json>().superRefine((value, context) => {
    const fault = faultOf(value);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  });

function faultOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const budget = { left: MAX_JSON_BYTES };
  return faultIn(value, 1, budget);
}

/** Stops at the first fault, so that a huge value is not traversed completely. */
function faultIn(value: unknown, depth: number, budget: { left: number }): string | null {
  budget.left -= typeof value === 'string' ? value.length + 4 : 8;
  if (budget.left < 0) return `more than ${MAX_JSON_BYTES / 1_024} KiB`;
  if (typeof value === 'string') return value.isWellFormed() ? null : 'must not contain a lone surrogate';
  // JSON text such as 1e999 is parsed as infinity, which JSON cannot express.
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must not contain a number beyond ±1.8e308';
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_JSON_DEPTH) return `nests deeper than ${MAX_JSON_DEPTH}`;
  if (Array.isArray(value)) return firstFault(value, (item) => faultIn(item, depth + 1, budget));
  return firstFault(
    Object.keys(value),
    (key) => faultOfKey(key, (value as Json)[key], budget) ?? faultIn((value as Json)[key], depth + 1, budget),
  );
}

function faultOfKey(key: string, value: unknown, budget: { left: number }): string | null {
  budget.left -= key.length;
  // The JSON parser of the HTTP server rejects this key; other transports have their own parsers.
  if (key === '__proto__') return 'a key is named __proto__';
  if (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
    return 'a key is named constructor.prototype';
  if (key.includes('\0')) return 'a key contains NUL';
  // The driver recognizes its own types by this key, and rejects other objects that have it.
  if (key === '_bsontype') return 'a key is named _bsontype';
  return key.isWellFormed() ? null : 'a key contains a lone surrogate';
}

function firstFault<Item>(items: readonly Item[], faultOfItem: (item: Item) => string | null): string | null {
  for (const item of items) {
    const fault = faultOfItem(item);
    if (fault) return fault;
  }
  return null;
}

/**
 * The parsed input.
 * @throws {OperationError} INVALID_PARAMETERS with one line per invalid field, and the path of the first
 */
export function validate<Schema extends z.ZodType>(schema: Schema, input: z.input<Schema>): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw new OperationError('INVALID_PARAMETERS', {
    detail: issues.slice(0, 20).map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`),
    path: issues[0]?.path.map(String) ?? [],
  });
}

/** The fields without undefined values: an update then leaves these fields unchanged. */
export function omitUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
