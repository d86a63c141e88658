import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import type { Context } from '../src/context.ts';
import { MAX_IDS } from '../src/domain/records-by-ids.ts';
import { OperationError } from '../src/errors.ts';
import type { Json } from '../src/store/records/base.ts';
import { decodeGlobalId, encodeGlobalId } from './shared/global-id.ts';

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSONObject: { Input: Json; Output: object };
  };
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ErrorsPlugin, RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    clientMutationId: 'optional',
    cursorType: 'String',
    encodeGlobalID: encodeGlobalId,
    decodeGlobalID: decodeGlobalId,
    edgesFieldOptions: { nullable: false, description: 'The records of the page with their cursors.' },
    nodeFieldOptions: { nullable: false, description: 'The record.' },
    cursorFieldOptions: { description: 'Position in the list, for `after` and `before`.' },
    pageInfoFieldOptions: { description: 'Cursors of the first and last record, and whether more pages exist.' },
    hasNextPageFieldOptions: { description: 'Whether more records follow the page.' },
    hasPreviousPageFieldOptions: { description: 'Whether records precede the page.' },
    startCursorFieldOptions: { description: 'Cursor of the first record; pass it as `before` for the previous page.' },
    endCursorFieldOptions: { description: 'Cursor of the last record; pass it as `after` for the next page.' },
    idFieldOptions: { description: 'Opaque global id, for `node`.' },
    nodeTypeOptions: { description: 'A record with a global id.' },
    pageInfoTypeOptions: { description: 'Information about a page of a list.' },
    clientMutationIdFieldOptions: { description: 'The `clientMutationId` of the input.' },
    clientMutationIdInputOptions: {
      description:
        'Idempotency key, 1 to 255 characters. A mutation that is repeated with the same key within 24 hours is not executed again; it returns the stored result, if the viewer can still see its records.',
    },
    mutationInputArgOptions: { description: 'Input of the mutation.' },
    nodeQueryOptions: {
      description: 'A record by its global id; null if it does not exist or the viewer cannot see it.',
      nullable: true,
    },
    nodesQueryOptions: {
      description: `Records by their global ids, at most ${MAX_IDS}, in the order of the ids; null for each record that does not exist or that the viewer cannot see.`,
      resolve: (_, { ids }, _context, _info, resolveNodes) => {
        if (ids.length > MAX_IDS)
          throw new OperationError('INVALID_PARAMETERS', { detail: [`At most ${MAX_IDS} ids.`] });
        return resolveNodes(ids);
      },
    },
  },
  errors: {
    defaultTypes: [OperationError],
    directResult: true,
    defaultUnionOptions: {
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
      description: 'The result of the mutation, or an expected failure.',
    },
  },
});

builder.queryType({ description: 'Queries. All fields except `network` require a session.' });
builder.mutationType({
  description: 'Mutations. Expected failures are returned as an `OperationError` in the result, not in `errors`.',
});
