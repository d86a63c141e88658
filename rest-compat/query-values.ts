import type { z } from 'zod';
import type { JsonSchema } from './answer-schema.ts';
import { inputSchema } from './input-schema.ts';

const schemas = new WeakMap<z.ZodType, JsonSchema>();

/**
 * Converts the text of query strings and path segments to the JSON types that the parameters expect: `true`, `1` and
 * `false`, `0` to booleans, digits to numbers, a single `a=x` to a list of one, and `null` or an empty value to null for
 * a nullable boolean. Other text stays text, and validation rejects it.
 */
export function readQueryValues(params: z.ZodType, values: Record<string, unknown>): Record<string, unknown> {
  let schema = schemas.get(params);
  if (!schema) {
    schema = inputSchema(params) as JsonSchema;
    schemas.set(params, schema);
  }
  return readProperties(schema, values);
}

function readProperties(schema: JsonSchema, values: object): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as { [name: string]: JsonSchema };
  return Object.assign(
    Object.create(null),
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        Object.hasOwn(properties, name) ? readValue(properties[name]!, value) : value,
      ]),
    ),
  );
}

function readValue(schema: JsonSchema, value: unknown): unknown {
  const alternatives = alternativesOf(schema);
  const ofType = (type: string) => alternatives.find((one) => one.type === type);
  if (Array.isArray(value)) {
    const array = ofType('array');
    return array ? value.map((item) => readValue((array.items ?? {}) as JsonSchema, item)) : value;
  }
  if (typeof value === 'object' && value !== null) {
    const object = ofType('object');
    return object ? readProperties(object, value) : value;
  }
  if (typeof value !== 'string' || ofType('string')) return value;
  const array = ofType('array');
  if (array) return [readValue((array.items ?? {}) as JsonSchema, value)];
  if (ofType('boolean')) return readBoolean(value, ofType('null') !== undefined);
  return (ofType('integer') || ofType('number')) && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as JsonSchema[]).flatMap(alternativesOf);
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

function readBoolean(value: string, isNullable: boolean): unknown {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  return isNullable && (value === 'null' || value === '') ? null : value;
}
