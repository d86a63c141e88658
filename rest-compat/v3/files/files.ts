import { z } from 'zod';
import { DeleteRestFileDocument, GetFileDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = {
  path: '/api/v3/files/:fileId',
  section: 'legacy-facts §7',
  params: z.object({ fileId: id() }),
  arrays: ['files'],
} as const;

/** Uploads are streams, not JSON: `src/files/upload-files.ts`. */
export const files: Route[] = [
  route({
    ...shared,
    method: 'GET',
    summary: 'Get the record of one file.',
    document: GetFileDocument,
    variables: ({ fileId }) => ({ fileId }),
    required: 'File',
  }),
  route({
    ...shared,
    method: 'DELETE',
    summary: 'Delete a file.',
    document: DeleteRestFileDocument,
    variables: (input) => ({ input }),
  }),
];
