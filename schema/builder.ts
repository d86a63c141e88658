import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import type { Context } from '../src/context.ts';
import type { ReceivedUpload } from '../src/domain/file/received-upload.ts';
import { MAX_IDS } from '../src/domain/records-by-ids.ts';
import { OperationError } from '../src/errors.ts';
import type { Json } from '../src/store/records/base.ts';
import { decodeGlobalId, encodeGlobalId } from './shared/global-id.ts';
import ReadOnlyViewersPlugin from './shared/read-only-viewers.ts';

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSONObject: { Input: Json; Output: object };
    Upload: { Input: ReceivedUpload; Output: never };
  };
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ErrorsPlugin, ReadOnlyViewersPlugin, RelayPlugin],
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
    firstArgOptions: { description: 'Number of records from the start of the list, 1 to 100. Default: 10.' },
    afterArgOptions: { description: 'Cursor after which the page starts.' },
    lastArgOptions: { description: 'Number of records from the end, 1 to 100; cannot be combined with `first`.' },
    beforeArgOptions: { description: 'Cursor before which the page ends.' },
    idFieldOptions: { description: 'Opaque global id, for `node`.' },
    nodeTypeOptions: { description: 'A record with a global id.' },
    pageInfoTypeOptions: { description: 'Information about a page of a list.' },
    clientMutationIdFieldOptions: { description: 'The `clientMutationId` of the input.' },
    clientMutationIdInputOptions: {
      description:
        'Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`.',
    },
    mutationInputArgOptions: { description: 'Input of the mutation.' },
    nodeQueryOptions: {
      description: 'A record by its global id; null if it does not exist or the viewer cannot see it.',
      nullable: true,
      args: { id: { description: 'Global id, from the field `id`.' } },
    },
    nodesQueryOptions: {
      description: `Records by their global ids, in the order of the ids; null for each record that does not exist or that the viewer cannot see.`,
      args: { ids: { description: `Global ids, at most ${MAX_IDS}.` } },
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

builder.queryType({
  description:
    'Queries. All fields require a session. A nullable field for one record is null if the record does not exist or the viewer, who is the signed-in user, cannot see it.',
});
builder.mutationType({
  description: `Mutations. Expected failures are returned as an \`OperationError\` in the result, not in \`errors\`.

A mutation with an \`idempotencyKey\` is idempotent: if the viewer repeats it with the same key and the same input within 24 hours, it is not executed again. It returns the stored result, provided that the viewer can still see the records in it. CONFLICT: the key was used for another mutation or another input. Without an \`idempotencyKey\`, the \`clientMutationId\` is the key; this is deprecated, and a later release only returns it.`,
});
