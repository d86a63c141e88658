import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../builder.ts';
import type { Counted } from './connection.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/**
 * One connection type for every list of a record type, so that clients write one fragment for all of them.
 *
 * @param plural plural name of the records, for the description
 */
export function connectionType<Record extends object>(type: ObjectRef<Types, Record>, plural: string) {
  return builder.connectionObject(
    { type, name: `${type.name}Connection`, description: `A page of a list of ${plural}.` },
    { name: `${type.name}Edge`, description: `An entry of a list of ${plural}.` },
  );
}

/**
 * As {@link connectionType}, with `totalCount`.
 *
 * @param unknown the lists without a counter
 */
export function countedConnectionType<Record extends object>(
  type: ObjectRef<Types, Record>,
  { plural, unknown }: { plural: string; unknown: string },
) {
  return builder.connectionObject(
    {
      type,
      name: `${type.name}Connection`,
      description: `A page of a list of ${plural}.`,
      fields: (t) => ({
        totalCount: t.int({
          nullable: true,
          description: `Number of ${plural} on all pages. Null if no counter is kept for the list: ${unknown}.`,
          resolve: (connection) => (connection as Counted).totalCount ?? null,
        }),
      }),
    },
    { name: `${type.name}Edge`, description: `An entry of a list of ${plural}.` },
  );
}

/** Describes the `skip` argument of lists that REST routes query. */
export const SKIP = 'Number of records to skip, at most 1,000. Meant for REST page tokens; use `after` instead.';
