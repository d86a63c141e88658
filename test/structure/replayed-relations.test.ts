import { type GraphQLNamedType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { DERIVED_PARTS } from '../../schema/shared/authorize-replay.ts';
import { authorizationOf } from '../../schema/shared/node.ts';
import type { Context } from '../../src/context.ts';

test('in an invisible record, every field of an object type is empty or a part stored in the record', async () => {
  const record = {};
  const context = { unseen: new WeakSet([record]) } as unknown as Context;
  const loading: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !authorizationOf(type.name)) continue;
    for (const field of Object.values(type.getFields())) {
      const target = getNamedType(field.type);
      if (isLeafType(target) || DERIVED_PARTS.has(target.name)) continue;
      const found = field.resolve
        ? await Promise.resolve(field.resolve(record, {}, context, {} as never)).catch(() => 'loads')
        : loadsRecords(target);
      const nothing = found === null || JSON.stringify(found) === '[]' || (found as { edges?: [] }).edges?.length === 0;
      if (!nothing) loading.push(`${type.name}.${field.name}`);
    }
  }
  expect(loading).toEqual([]);
});

/** Whether a part that is stored in a record has fields that load other records. */
function loadsRecords(type: GraphQLNamedType): true | null {
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const isLoading = fields.some((field) => {
    const target = getNamedType(field.type);
    if (isLeafType(target)) return false;
    return authorizationOf(target.name) !== undefined || target.name.endsWith('Connection') || loadsRecords(target);
  });
  return isLoading || (isObjectType(type) ? null : true);
}
