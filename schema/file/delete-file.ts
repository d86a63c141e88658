import { deleteFile } from '../../src/domain/file/change-file.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { File } from './file.ts';

mutationField(
  'deleteFile',
  {
    description: 'Which file.',
    inputFields: (t) => ({ fileId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Deletes a file: its bytes are gone, and what shows it shows nothing.',
    errors: {},
    resolve: async (_, { input }, context) => ({ file: await deleteFile(context, input) }),
  },
  {
    description: 'The file as it is now.',
    outputFields: (t) => ({ file: t.expose('file', { type: File, description: 'The file.' }) }),
  },
);
