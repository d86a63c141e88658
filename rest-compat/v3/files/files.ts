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
});

export const deleteFile = route({
  ...shared,
  ...forMutation('deleteFile', 'files: file { ...FileRecord }'),
  method: 'DELETE',
  summary: 'Delete a file.',
});
