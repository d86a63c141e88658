import type { InputFieldRef } from '@pothos/core';
import { z } from 'zod';
import { isId, MAX_INT } from '../../src/domain/input.ts';
import { builder, type SchemaTypes } from '../builder.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;
type InputFieldBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** GraphQL types of the fields that are an enum, an object, or a list of them. */
type NamedTypes<Schema extends z.ZodObject> = {
  readonly [Name in keyof Schema['shape']]?: object | 'String' | 'Upload';
};

type InputFields<Schema extends z.ZodObject> = {
  [Name in keyof z.input<Schema>]-?: InputFieldRef<Types, z.input<Schema>[Name]>;
};

/**
 * Derives the fields of a GraphQL input from the zod schema with which its operation validates: names, types,
 * nullability, descriptions and bounds. `types` contains the GraphQL types of enum and object fields.
 *
 * REST parameters derive from the same schema, see `rest-compat/operation-params.ts`.
 */
export function inputFields<Schema extends z.ZodObject>(schema: Schema, types: NamedTypes<Schema> = {}) {
  return (t: InputFieldBuilder): InputFields<Schema> =>
    Object.fromEntries(
      Object.entries<z.ZodType>(schema.shape).map(([name, field]) => [
        name,
        t.field({
          type: typeOf(name, field, types[name]) as 'String',
          required: !field.isOptional() && !field.isNullable(),
          description: describe(name, field),
          ...defaultOf(field),
        }),
      ]),
    ) as unknown as InputFields<Schema>;
}

/** A separate input type, for fields of other inputs. */
export function inputType<Schema extends z.ZodObject>(
  name: string,
  description: string,
  { schema, types }: { schema: Schema; types?: NamedTypes<Schema> },
) {
  return builder.inputType(name, { description, extensions: { schema }, fields: inputFields(schema, types) });
}

function typeOf(name: string, field: z.ZodType, named: object | string | undefined): unknown {
  const { def } = innermost(field)._zod;
  switch (def.type) {
    case 'array':
      return [typeOf(name, def.element as z.ZodType, named)];
    case 'string':
      return 'String';
    case 'boolean':
      return 'Boolean';
    case 'number':
      return isInt(innermost(field)) ? 'Int' : 'Float';
    case 'date':
      return 'DateTime';
    case 'custom':
      return named ?? 'JSONObject';
    default:
      if (named) return named;
      // A union of strings, such as of predefined and custom names.
      if (def.type === 'union') return 'String';
      throw new Error(`${name}: pass the GraphQL type of this field.`);
  }
}

function defaultOf(field: z.ZodType): { defaultValue?: never } {
  const { def } = field._zod as z.core.$ZodTypes['_zod'];
  return def.type === 'default' ? { defaultValue: def.defaultValue as never } : {};
}

/** The schema of the value that a client sends, without null, defaults and transformations. */
export function innermost(schema: z.ZodType): z.core.$ZodTypes & z.ZodType {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return innermost(def.innerType as z.ZodType);
    case 'pipe':
      return innermost(def.in as z.ZodType);
    default:
      return schema as z.core.$ZodTypes & z.ZodType;
  }
}

function describe(name: string, field: z.ZodType): string {
  const description = descriptionOf(field);
  if (!description) throw new Error(`${name}: describe this field of the input.`);
  const bounds = boundsOf(innermost(field));
  return bounds ? `${description} ${bounds}.` : description;
}

export function descriptionOf(schema: z.ZodType): string | undefined {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (schema.description) return schema.description;
  if (def.type === 'pipe') return descriptionOf(def.in as z.ZodType);
  return 'innerType' in def ? descriptionOf(def.innerType as z.ZodType) : undefined;
}

/** Such as `At most 150 characters`, or `1 to 20, of at most 100 characters each`. The docs state bounds of ids once. */
function boundsOf(schema: z.core.$ZodTypes & z.ZodType): string | null {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = jsonSchema(schema);
  if (schema._zod.def.type === 'array') {
    const items = range(minItems || undefined, maxItems);
    const each = boundsOf(innermost(schema._zod.def.element as z.ZodType));
    const bounds = items && each ? `${items}, of ${each.charAt(0).toLowerCase()}${each.slice(1)} each` : items;
    return bounds;
  }
  if (schema._zod.def.type === 'string') {
    const length = isId(schema) ? null : range(minLength || undefined, maxLength);
    return length && `${length} characters`;
  }
  return schema._zod.def.type === 'number' ? range(minimum, maximum) : null;
}

function range(min: number | undefined, max: number | undefined): string | null {
  const hasMax = max !== undefined && max !== MAX_INT && max < Number.MAX_SAFE_INTEGER;
  if (!hasMax) return min && min > 0 ? `At least ${min}` : null;
  const most = max.toLocaleString('en');
  return min === undefined ? `At most ${most}` : `${min.toLocaleString('en')} to ${most}`;
}

/** Whether the field is an `Int`; fields with a larger maximum are `Float`. */
function isInt(schema: z.ZodType): boolean {
  const { type, maximum } = jsonSchema(schema);
  return type === 'integer' && (maximum === undefined || maximum <= MAX_INT || maximum === Number.MAX_SAFE_INTEGER);
}

function jsonSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

/** The input of a mutation, as the second argument of `mutationField`. */
export function inputOf<Schema extends z.ZodObject>(schema: Schema, types?: NamedTypes<Schema>) {
  return { inputFields: inputFields(schema, types), extensions: { schema } };
}
