import { uploadFiles, uploadFilesInput } from '../../src/domain/file/upload-files.ts';
import { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes } from '../shared/mutation-field.ts';
import { File, FileAccessType, FileType } from './file.ts';

// Without an idempotency key, as uploads over REST: a key identifies its input, which would be all bytes.
builder.relayMutationField(
  'uploadFiles',
  {
    description: 'Input of `uploadFiles`.',
    ...inputOf(uploadFilesInput, { files: 'Upload', kind: FileType, accessType: FileAccessType }),
  },
  {
    description:
      'Uploads 1 to 10 files in a multipart request, all of them or none; a repeated call uploads them again. The bytes determine the type of a file. `TOO_LARGE` above `FILE_LIMIT_MB`, `UNSUPPORTED_FORMAT` for a file of another kind.',
    errors: {},
    resolve: async (_, { input }, context) => ({ files: await uploadFiles(context, input) }),
    ...causes('file.created'),
  },
  {
    description: 'Result of `uploadFiles`.',
    outputFields: (t) => ({
      files: t.expose('files', { type: [File], description: 'The new files, in the order of the input.' }),
    }),
  },
);
