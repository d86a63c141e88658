import { isEnumType } from 'graphql';
import { z } from 'zod';
import { schema } from '../schema/index.ts';
import type { InputEnums } from './generated/variables.ts';

/**
 * A parameter whose values are those of a GraphQL enum in their REST spelling. The output is the GraphQL name, for a
 * variable of the document.
 */
export function enumParam<Name extends keyof InputEnums>(typeName: Name) {
  const type = schema.getType(typeName);
  if (!isEnumType(type)) throw new Error(`The schema has no enum ${typeName}.`);
  const names = new Map(type.getValues().map(({ name, value }) => [String(value), name]));
  const spellings = [...names.keys()] as [string, ...string[]];
  return z.enum(spellings).transform((value) => names.get(value) as InputEnums[Name]);
}
