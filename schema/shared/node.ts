import { brandWithType } from '@pothos/core';
import type { Context } from '../../src/context.ts';
import { builder } from '../builder.ts';

/** Whether the viewer sees a record that was answered before, as it and the viewer's rights are now. */
export type Sees<Record> = (context: Context, record: Record) => Promise<boolean>;

interface NodeOptions<Record extends object> {
  description: string;
  /** The id inside the global id. */
  id: (record: Record) => string;
  /** The record as the viewer may see it, else null. */
  load: (context: Context, id: string) => Promise<Record | null>;
  /** @default whether `load` finds it */
  sees?: Sees<Record>;
  /** Interfaces whose fields the record has; their fields need not be declared again. */
  interfaces?: object[];
}

const authorizations = new Map<string, Sees<never>>();

/** Declares how records of a type are authorized; {@link nodeType} does for its own. */
export function authorizeType<Record extends object>(name: string, sees: Sees<Record>): void {
  authorizations.set(name, sees);
}

/** How records of a type are authorized; undefined for what is no record. */
export function authorizationOf(name: string): Sees<object> | undefined {
  return authorizations.get(name) as Sees<object> | undefined;
}

/** Declares a type whose records `node(id:)` finds; fields are added by `builder.objectFields` beside the type's queries. */
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
      // Records are shared, so a copy is branded; immediately, because another field may resolve it before Pothos brands it.
      const record = { ...found };
      brandWithType(record, name as never);
      return record as never;
    },
  });
  return ref;
}
