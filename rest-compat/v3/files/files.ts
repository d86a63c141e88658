import { z } from 'zod';
import { mutation, operation } from '../../documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';

const shared = {
  path: '/api/v3/files/:fileId',
  reference: 'get-file',
  params: z.object({ fileId: id() }),
  arrays: ['files'],
} as const;

export const getFile = route({
  ...shared,
  method: 'GET',
  summary: 'Get the record of one file.',
  document: operation('GetFile'),
  variables: ({ fileId }) => ({ fileId }),
  required: 'File',
});

export const deleteFile = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete a file.',
  document: mutation('deleteFile', 'files: file { ...FileRecord }'),
  variables: (input) => ({ input }),
});
