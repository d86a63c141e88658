import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import type { Context } from '../src/context.ts';
import { OperationError } from '../src/errors.ts';
import type { Json } from '../src/store/records/base.ts';
import { decodeGlobalId, encodeGlobalId } from './shared/global-id.ts';
import { MAX_IDS } from './shared/ids.ts';

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
    edgesFieldOptions: { nullable: false, description: 'The records of the page, each with its place in the list.' },
    nodeFieldOptions: { nullable: false, description: 'The record.' },
    cursorFieldOptions: { description: 'Where it stands in the list, for `after` and `before`.' },
    pageInfoFieldOptions: { description: 'Where the page begins and ends.' },
    hasNextPageFieldOptions: { description: 'Whether more follows.' },
    hasPreviousPageFieldOptions: { description: 'Whether something comes before.' },
    startCursorFieldOptions: { description: 'For `before`: the page in front of this one.' },
    endCursorFieldOptions: { description: 'For `after`: the page behind this one.' },
    idFieldOptions: { description: 'Opaque global id, for `node`.' },
    nodeTypeOptions: { description: 'A record with a global id.' },
    pageInfoTypeOptions: { description: 'Where a page of a list begins and ends.' },
    clientMutationIdFieldOptions: { description: 'Given back as it came.' },
    clientMutationIdInputOptions: {
      description:
        'Names this write, 1 to 255 characters. Sent again within 24 hours under the same name it is not made again, and answers as it did, as far as the viewer still sees what it answers. Given back as it came.',
    },
    mutationInputArgOptions: { description: 'What to do, and to what.' },
    nodeQueryOptions: {
      description: 'One record by its global id; null when it is absent or not to be seen.',
      nullable: true,
    },
    nodesQueryOptions: {
      description: `Records by their global ids, at most ${MAX_IDS}, in the order asked; null for each that is absent or not to be seen.`,
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
      description: 'What the mutation did, or the expected failure that kept it from doing it.',
    },
  },
});

builder.queryType({ description: 'What can be read. Everything but `network` needs a session.' });
builder.mutationType({ description: 'What can be changed. Expected failures are members of the result, not errors.' });
