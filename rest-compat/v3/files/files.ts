import { z } from 'zod';
import { operation } from '../../documents.ts';
import { forMutation } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';

const shared = { path: '/api/v3/files/:fileId', reference: 'get-file', arrays: ['files'] } as const;

export const getFile = route({
  ...shared,
  method: 'GET',
  summary: 'Get the record of one file.',
  params: z.object({ fileId: id() }),
  document: operation('GetFile'),
  variables: ({ fileId }) => ({ fileId }),
  required: 'File',
  // Some clients read the fields of the file from the answer itself, others from `files`: `docs/interface.md#get-file`.
  wrap: ({ files }) => ({ ...(files as object[])[0], files }),
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
});

export const deleteFile = route({
  ...shared,
  ...forMutation('deleteFile', 'files: file { ...FileRecord }'),
  method: 'DELETE',
  summary: 'Delete a file.',
});
