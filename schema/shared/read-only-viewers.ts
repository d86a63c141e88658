import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { isReadOnly, READ_ONLY_MUTATIONS } from '../../src/access/visitor.ts';
import type { Context } from '../../src/context.ts';
import { requireWriter } from '../../src/domain/require-writer.ts';

const NAME = 'readOnlyViewers';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      [NAME]: ReadOnlyViewersPlugin<Types>;
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/**
 * Applies the policy of visitors and bots to the whole schema, so that a new field cannot miss it: their mutations are
 * refused before anything is read, and `viewerCan…` is false. The plugin comes after `errors`, which returns the refusal as
 * the result of the mutation.
 */
class ReadOnlyViewersPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver<Types>, { kind, name }: PothosOutputFieldConfig<Types>): Resolver<Types> {
    if (kind === 'Mutation' && !READ_ONLY_MUTATIONS.has(name)) {
      return (root, args, context, info) => {
        requireWriter((context as Context).viewer);
        return resolve(root, args, context, info);
      };
    }
    if (!name.startsWith('viewerCan')) return resolve;
    return (record, args, context, info) => {
      const { viewer } = context as Context;
      return viewer && isReadOnly(viewer) ? false : resolve(record, args, context, info);
    };
  }
}

SchemaBuilder.registerPlugin(NAME, ReadOnlyViewersPlugin);

export default NAME;
