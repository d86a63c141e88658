import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { FileRecord } from '../../store/records/media.ts';
import { text, validate } from '../input.ts';
import { checkKind, createFiles, MAX_FILES, provesNoRecord } from './create-files.ts';
import { isReceivedUpload, type ReceivedUpload, setKept, uploadsOf } from './received-upload.ts';

export const uploadFilesInput = z.object({
  files: z
    .array(z.custom<ReceivedUpload>(isReceivedUpload, 'a file of the request'))
    .min(1, 'at least 1')
    .max(MAX_FILES, `at most ${MAX_FILES}`)
    .describe('Files of the multipart request.'),
  kind: z
    .enum(['file', 'image', 'video', 'audio', 'clip'])
    .nullish()
    .describe('Kind of content that all files must have; `FILE`, the default, accepts any.'),
  accessType: z.enum(['public', 'network']).nullish().describe('Who can download the files; everyone by default.'),
  altText: text({ min: 0, max: 1_000 }).nullish().describe('Alternative text for users who cannot see the files.'),
});

/**
 * Creates records of the files that the request uploaded, all of them or none.
 * @throws {OperationError} UNSUPPORTED_FORMAT for a file of another kind
 */
export async function uploadFiles(context: Context, input: z.input<typeof uploadFilesInput>): Promise<FileRecord[]> {
  const { files, kind, accessType, altText } = validate(uploadFilesInput, input);
  const uploads = uploadsOf(files);
  for (const upload of uploads) checkKind(kind ?? 'file', upload);
  const terms = { kind: kind ?? 'file', accessType: accessType ?? 'public', altText: altText ?? undefined };
  // A record may refer to the bytes, unless an error proves that there is none.
  setKept(files, true);
  return createFiles(context, uploads, terms).catch((error: unknown) => {
    if (provesNoRecord(error)) setKept(files, false);
    throw error;
  });
}
