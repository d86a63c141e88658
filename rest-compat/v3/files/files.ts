import { z } from 'zod';
import { operation } from '../../documents.ts';
import { forMutation } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';

const shared = { path: '/api/v3/files/:fileId', reference: 'get-file', arrays: ['files'] } as const;

/**
 * The answer for one file. Some clients read its fields from the answer itself, others from `files`:
 * `docs/interface.md#get-file`.
 */
const bareFile = {
  wrapReadsRecords: true,
  wrap: ({ files }: { [key: string]: unknown }) => ({ ...(files as object[])[0], files }),
  answerSchema: {
    allOf: [
      { $ref: '#/components/schemas/File' },
      {
        type: 'object',
        required: ['files'],
        properties: { files: { type: 'array', items: { $ref: '#/components/schemas/File' } } },
      },
    ],
  },
};

const FILE = 'files: file { ...FileRecord }';

export const getFile = route({
  ...shared,
  ...bareFile,
  method: 'GET',
  summary: 'Get the record of one file.',
  params: z.object({ fileId: id() }),
  document: operation('GetFile'),
  variables: ({ fileId }) => ({ fileId }),
  required: 'File',
});

export const updateFile = route({
  ...shared,
  ...bareFile,
  ...forMutation('updateFile', FILE),
  method: 'PUT',
  summary: 'Change the alternative text or the access level of a file.',
});

export const deleteFile = route({
  ...shared,
  ...forMutation('deleteFile', FILE),
  method: 'DELETE',
  summary: 'Delete a file.',
});
