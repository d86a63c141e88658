import { brandWithType } from '@pothos/core';
import type { Context } from '../../src/context.ts';
import { builder } from '../builder.ts';

interface NodeOptions<Record extends object> {
  description: string;
  /** The id inside the global id. */
  id: (record: Record) => string;
  /** The record as the viewer may see it, else null. */
  load: (context: Context, id: string) => Promise<Record | null>;
  /** Interfaces whose fields the record has; their fields need not be declared again. */
  interfaces?: object[];
}

/** Declares a type whose records `node(id:)` finds; fields are added by `builder.objectFields` beside the type's queries. */
export function nodeType<Record extends object>(name: string, options: NodeOptions<Record>) {
  const ref = builder.objectRef<Record>(name);
  builder.node(ref, {
    description: options.description,
    id: { resolve: (record) => options.id(record), description: 'Opaque global id, for `node`.' },
    ...(options.interfaces && { interfaces: options.interfaces as never }),
    loadOne: async (id, context) => {
      const found = await options.load(context, id);
      if (!found) return null as never;
      // A copy is marked, since records are shared; and at once, since a second field may see it before the library does.
      const record = { ...found };
      brandWithType(record, name as never);
      return record as never;
    },
  });
  return ref;
}
