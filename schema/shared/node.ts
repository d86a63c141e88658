import { brandWithType } from '@pothos/core';
import type { Context } from '../../src/context.ts';
import type { MaybePromise } from '../../src/lib/maybe-promise.ts';
import { builder } from '../builder.ts';
import { registerGlobalIds } from './global-id.ts';

/** Whether the viewer sees a record of an earlier response now. */
export type Sees<Record> = (context: Context, record: Record) => Promise<boolean>;

interface NodeOptions<Record extends object> {
  description: string;
  /**
   * The id that the global id encodes: the field with the public id, which is also the key of the type in a federated
   * graph. A function for types without a public id.
   */
  id: (keyof Record & string) | ((record: Record) => string);
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

/** A type with a public id. */
export interface Entity {
  /** Name of the field with the public id. */
  key: string;
  /** The record as the viewer may see it, branded with its type; null if they do not see it. */
  load: (context: Context, id: string) => Promise<object | null>;
}

/** All {@link nodeType}s with a public id, by their names. */
export const entities = new Map<string, Entity>();

/** Declares a type that `node(id:)` can load. `builder.objectFields` adds its fields, beside the queries of the type. */
export function nodeType<Record extends object>(name: string, options: NodeOptions<Record>) {
  const ref = builder.objectRef<Record>(name);
  const { id } = options;
  const idOf = typeof id === 'string' ? (record: Record) => String(record[id]) : id;
  authorizeType<Record>(
    name,
    options.sees ?? (async (context, record) => (await options.load(context, idOf(record))) !== null),
  );
  registerGlobalIds(name);
  builder.node(ref, {
    description: options.description,
    id: { resolve: idOf, description: 'Opaque global id, for `node`.' },
    ...(options.interfaces && { interfaces: options.interfaces as never }),
    loadOne: async (id, context) => (await loadBranded(context, id)) as never,
  });
  if (typeof id === 'string') entities.set(name, { key: id, load: loadBranded });
  return ref;

  async function loadBranded(context: Context, givenId: string): Promise<Record | null> {
    const found = await options.load(context, givenId);
    if (!found) return null;
    // A copy, because records are shared. Branded here, because another field may resolve it before Pothos brands it.
    const record = { ...found };
    brandWithType(record, name as never);
    return record;
  }
}
