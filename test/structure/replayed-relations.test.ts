import { type GraphQLNamedType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { DERIVED_PARTS } from '../../schema/shared/authorize-replay.ts';
import { authorizationOf } from '../../schema/shared/node.ts';
import type { Context } from '../../src/context.ts';

test('every field of a record that is not seen leads to nothing, or to a part stored in the record', async () => {
  const record = {};
  const context = { unseen: new WeakSet([record]) } as unknown as Context;
  const leading: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !authorizationOf(type.name)) continue;
    for (const field of Object.values(type.getFields())) {
      const target = getNamedType(field.type);
      if (isLeafType(target) || DERIVED_PARTS.has(target.name)) continue;
      const found = field.resolve
        ? await Promise.resolve(field.resolve(record, {}, context, {} as never)).catch(() => 'loads')
        : leadsOn(target);
      const nothing = found === null || JSON.stringify(found) === '[]' || (found as { edges?: [] }).edges?.length === 0;
      if (!nothing) leading.push(`${type.name}.${field.name}`);
    }
  }
  expect(leading).toEqual([]);
});

/** Whether a part that is stored in a record has fields that look something up. */
function leadsOn(type: GraphQLNamedType): true | null {
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const leads = fields.some((field) => {
    const target = getNamedType(field.type);
    if (isLeafType(target)) return false;
    return authorizationOf(target.name) !== undefined || target.name.endsWith('Connection') || leadsOn(target);
  });
  return leads || (isObjectType(type) ? null : true);
}
