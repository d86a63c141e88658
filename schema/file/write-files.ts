import { deleteFile, deleteFileInput, updateFile, updateFileInput } from '../../src/domain/file/change-file.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { File, FileAccessType } from './file.ts';

mutationField(
  'updateFile',
  inputOf(updateFileInput, { accessType: FileAccessType }),
  {
    description: 'Changes the metadata of a file. Omitted fields stay unchanged. `uploadFiles` creates files.',
    resolve: async (_, { input }, context) => ({ file: await updateFile(context, input) }),
    ...causes('file.updated'),
  },
  { outputFields: (t) => ({ file: t.expose('file', { type: File, description: 'The updated file.' }) }) },
);

mutationField(
  'deleteFile',
  inputOf(deleteFileInput),
  {
    description: 'Deletes a file and its content. Records that refer to it keep its id.',
    resolve: async (_, { input }, context) => ({ file: await deleteFile(context, input) }),
    ...causes('file.deleted'),
  },
  { outputFields: (t) => ({ file: t.expose('file', { type: File, description: 'The deleted file.' }) }) },
);
