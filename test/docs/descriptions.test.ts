import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { printOpenApi } from '../../rest-compat/openapi.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';

interface Described {
  place: string;
  description: string | null | undefined;
}

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);
const described = types.flatMap(partsOf);

/** A type with its fields, arguments and enum values. */
function partsOf(type: GraphQLNamedType): Described[] {
  const parts: Described[] = [{ place: type.name, description: type.description }];
  const add = (place: string, { description }: { description?: string | null | undefined }) =>
    parts.push({ place: `${type.name}.${place}`, description });
  if (isEnumType(type)) for (const value of type.getValues()) add(value.name, value);
  if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) add(field.name, field);
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      add(field.name, field);
      for (const argument of field.args) add(`${field.name}(${argument.name})`, argument);
    }
  }
  return parts;
}

test('each type, field, argument and enum value of the SDL has a description that ends like a sentence', () => {
  expect(described.length).toBeGreaterThan(3_000);
  expect(described.filter(({ description }) => !/[.…]$/.test(description ?? '')).map(({ place }) => place)).toEqual([]);
});

test('no long description is repeated on more than two parts of the SDL', () => {
  const places = new Map<string, string[]>();
  for (const { place, description } of described) {
    if (description && description.length > 150) {
      places.set(description, [...(places.get(description) ?? []), place]);
    }
  }
  expect([...places.values()].filter((repeated) => repeated.length > 2)).toEqual([]);
});

interface Operation {
  parameters?: { name?: string; description?: string }[];
  requestBody?: {
    content: { [type: string]: { schema: { properties?: { [name: string]: { description?: string } } } } };
  };
}

test('each parameter in OpenAPI has a description', () => {
  const { paths } = printOpenApi(schema, ROUTES) as unknown as {
    paths: { [path: string]: { [verb: string]: Operation } };
  };
  const parameters = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, { parameters = [], requestBody }]) => [
      ...parameters
        .filter(({ name }) => name !== undefined)
        .map(({ name, description }) => ({ place: `${verb} ${path} ${name}`, description })),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema: body }) =>
        Object.entries(body.properties ?? {}).map(([name, { description }]) => ({
          place: `${verb} ${path} ${name}`,
          description,
        })),
      ),
    ]),
  );
  expect(parameters.length).toBeGreaterThan(400);
  expect(parameters.filter(({ description }) => !description).map(({ place }) => place)).toEqual([]);
});
