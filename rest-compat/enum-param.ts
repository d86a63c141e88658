import { isEnumType } from 'graphql';
import { z } from 'zod';
import { schema } from '../schema/index.ts';

/**
 * A parameter whose values are those of a GraphQL enum in their REST spelling; the output is the GraphQL name, ready
 * to be a variable.
 */
export function enumParam<Name extends string>(typeName: string) {
  const type = schema.getType(typeName);
  if (!isEnumType(type)) throw new Error(`${typeName} is no enum of the schema.`);
  const names = new Map(type.getValues().map(({ name, value }) => [String(value), name]));
  const spellings = [...names.keys()] as [string, ...string[]];
  return z.enum(spellings).transform((value) => names.get(value) as Name);
}
