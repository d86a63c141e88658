import { brandWithType } from '@pothos/core';
import type { Context } from '../../src/context.ts';
import type { MaybePromise } from '../../src/lib/maybe-promise.ts';
import { builder } from '../builder.ts';

/** Whether the viewer sees a record of an earlier response now. */
export type Sees<Record> = (context: Context, record: Record) => Promise<boolean>;

interface NodeOptions<Record extends object> {
  description: string;
  /** The id that the global id encodes. */
  id: (record: Record) => string;
  /** The record as the viewer may see it; null if they do not see it. */
  load: (context: Context, id: string) => MaybePromise<Record | null>;
  /** @default whether `load` returns the record */
  sees?: Sees<Record>;
  /** Interfaces of the type. It inherits their fields. */
  interfaces?: object[];
}

const authorizations = new Map<string, Sees<never>>();

/** Declares how records of a type are authorized. {@link nodeType} calls it for node types. */
export function authorizeType<Record extends object>(name: string, sees: Sees<Record>): void {
  authorizations.set(name, sees);
}

/** The authorization of records of a type; undefined for other types. */
export function authorizationOf(name: string): Sees<object> | undefined {
  return authorizations.get(name) as Sees<object> | undefined;
}

/** Declares a type that `node(id:)` can load. `builder.objectFields` adds its fields, beside the queries of the type. */
export function nodeType<Record extends object>(name: string, options: NodeOptions<Record>) {
  const ref = builder.objectRef<Record>(name);
  authorizeType<Record>(
    name,
    options.sees ?? (async (context, record) => (await options.load(context, options.id(record))) !== null),
  );
  builder.node(ref, {
    description: options.description,
    id: { resolve: (record) => options.id(record), description: 'Opaque global id, for `node`.' },
    ...(options.interfaces && { interfaces: options.interfaces as never }),
    loadOne: async (id, context) => {
      const found = await options.load(context, id);
      if (!found) return null as never;
      // A copy, because records are shared. Branded here, because another field may resolve it before Pothos brands it.
      const record = { ...found };
      brandWithType(record, name as never);
      return record as never;
    },
  });
  return ref;
}
