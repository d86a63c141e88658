import { type GraphQLEnumType, isEnumType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';

const enums = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLEnumType => isEnumType(type) && !type.name.startsWith('__'),
);

test('describes each enum value by its meaning rather than by its spelling in REST', () => {
  const empty = enums.flatMap((type) =>
    type
      .getValues()
      .filter(({ value, description }) => {
        const withoutSpelling = (description ?? '').replaceAll(`\`${value}\``, '').replace('in the REST interface', '');
        return !/[a-z]{3}/i.test(withoutSpelling);
      })
      .map(({ name }) => `${type.name}.${name}`),
  );
  expect(empty).toEqual([]);
});

test('gives no two values of an enum the same description', () => {
  const repeated = enums.filter((type) => {
    const values = type.getValues();
    return new Set(values.map(({ description }) => description)).size < values.length;
  });
  expect(repeated.map(({ name }) => name)).toEqual([]);
});
