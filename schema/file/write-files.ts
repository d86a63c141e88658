import { deleteFile, updateFile } from '../../src/domain/file/change-file.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { File, FileAccessType } from './file.ts';

mutationField(
  'updateFile',
  {
    description: 'Which file, and what to change. What is absent stays.',
    inputFields: (t) => ({
      fileId: t.string({ required: true, description: 'Public id.' }),
      altText: t.string({
        description: 'Text for those who cannot see the picture, at most 1,000 characters; null for none.',
      }),
      accessType: t.field({ type: FileAccessType, description: 'Who may fetch it.' }),
    }),
  },
  {
    description: 'Changes what is said of a file. Files are uploaded by REST: `POST /api/v4/files`.',
    resolve: async (_, { input }, context) => ({ file: await updateFile(context, input) }),
  },
  {
    description: 'The file as it is now.',
    outputFields: (t) => ({ file: t.expose('file', { type: File, description: 'The file.' }) }),
  },
);

mutationField(
  'deleteFile',
  {
    description: 'Which file.',
    inputFields: (t) => ({ fileId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Deletes a file: its bytes are gone, and what shows it shows nothing.',
    resolve: async (_, { input }, context) => ({ file: await deleteFile(context, input) }),
  },
  {
    description: 'The file as it is now.',
    outputFields: (t) => ({ file: t.expose('file', { type: File, description: 'The file.' }) }),
  },
);
