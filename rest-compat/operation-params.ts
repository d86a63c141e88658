import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { z } from 'zod';
import { schema } from '../schema/index.ts';
import { descriptionOf, innermost } from '../schema/shared/input-fields.ts';
import { mutation } from './documents.ts';
import { enumParam } from './enum-param.ts';
import type { InputEnums, MutationInputs } from './generated/variables.ts';

type Shape<Input> = {
  [Name in Exclude<keyof Input, 'clientMutationId'>]-?: undefined extends Input[Name]
    ? z.ZodOptional<z.ZodType<Exclude<Input[Name], undefined>>>
    : z.ZodType<Input[Name]>;
};

interface ForMutationOptions {
  /**
   * Passes null for absent parameters, where both mean the same. A request that is repeated in the other spelling then has
   * the same input, and its idempotency key replays the response. @default false
   */
  absentAsNull?: boolean;
  /** Fields of the input that the interface does not document, which the route ignores. */
  without?: readonly string[];
}

/** The parts of a route whose parameters are the input of the mutation that it executes: see {@link mutation}. */
export function forMutation<Name extends keyof MutationInputs>(
  name: Name,
  selection: string,
  { absentAsNull = false, without = [] }: ForMutationOptions = {},
) {
  const params = withoutFields(operationParams(name), without);
  const nullable = Object.entries<z.ZodType>(params.shape).filter(([, field]) => field.isNullable());
  const defaults = absentAsNull ? Object.fromEntries(nullable.map(([field]) => [field, null])) : {};
  return {
    params,
    document: mutation(name, selection),
    variables: (input: MutationInputs[Name]) => ({ input: { ...defaults, ...input } }),
  };
}

function withoutFields<Params extends z.ZodObject>(params: Params, names: readonly string[]): Params {
  if (names.length === 0) return params;
  const fields = Object.entries<z.ZodType>(params.shape).filter(([name]) => !names.includes(name));
  return z.object(Object.fromEntries(fields)) as unknown as Params;
}

/** Terms of a ban, which only GraphQL accepts. */
export const BAN_TERMS = ['reason', 'expiresAt'] as const;
/** Terms of a mute, which only GraphQL accepts. */
export const MUTE_TERMS = ['reason'] as const;

/**
 * The parameters of a route that executes a mutation: the schema by which the operation validates its input, with enum
 * values in their REST spelling and times as text. The output is the input of the mutation. See
 * `docs/decisions/0024-one-input-schema.md`.
 */
export function operationParams<Name extends keyof MutationInputs>(
  name: Name,
): z.ZodObject<Shape<MutationInputs[Name]>> {
  const type = schema.getType(`${name[0]!.toUpperCase()}${name.slice(1)}Input`);
  const validation = type?.extensions.schema as z.ZodObject | undefined;
  if (!isInputObjectType(type) || !validation) throw new Error(`The input of ${name} has no validation schema.`);
  return objectParam(type, validation) as z.ZodObject<Shape<MutationInputs[Name]>>;
}

function objectParam(type: GraphQLInputObjectType, object: z.ZodObject): z.ZodObject {
  const fields = type.getFields();
  return z.object(
    Object.fromEntries(
      Object.entries<z.ZodType>(object.shape).map(([name, field]) => [name, fieldParam(fields[name]!.type, field)]),
    ),
  );
}

function fieldParam(type: GraphQLInputType, field: z.ZodType): z.ZodType {
  const param = valueParam(type, field);
  const optional = field.isNullable() ? param.nullish() : field.isOptional() ? param.optional() : param;
  const description = descriptionOf(field);
  return description ? optional.describe(description) : optional;
}

function valueParam(type: GraphQLInputType, field: z.ZodType): z.ZodType {
  const named = getNullableType(type);
  const value = innermost(field);
  if (isEnumType(named)) return enumParam(named.name as keyof InputEnums);
  if (isInputObjectType(named)) return objectParam(named, value as z.ZodObject);
  if (isListType(named)) {
    const { def } = (value as z.ZodArray)._zod;
    return new z.ZodArray({ ...def, element: valueParam(named.ofType, def.element as z.ZodType) });
  }
  if (String(named) === 'DateTime') return z.iso.datetime();
  return String(named) === 'JSONObject' ? z.record(z.string(), z.unknown()) : value;
}
