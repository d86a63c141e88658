import { MAX_FILES, UPLOAD_DOORS } from '../src/files/upload-doors.ts';

type JsonSchema = { [key: string]: unknown };

/** What OpenAPI says of the uploads, which are forms and no rows of the interface. */
export function uploadPaths(): { [path: string]: { post: JsonSchema } } {
  return Object.fromEntries(UPLOAD_DOORS.map(([path, kind]) => [path, { post: upload(kind) }]));
}

function upload(kind: string): JsonSchema {
  return {
    summary: kind === 'file' ? 'Upload files of any kind.' : `Upload ${kind}s; anything else is refused (415).`,
    description: 'Source: legacy-facts §7. What a file is, its bytes tell.',
    security: [{ bearer: [] }],
    requestBody: { required: true, content: { 'multipart/form-data': { schema: FORM } } },
    responses: {
      200: {
        description: 'The records of the files, in the order sent.',
        content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/File' } } } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const FORM: JsonSchema = {
  type: 'object',
  required: ['files'],
  properties: {
    files: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_FILES,
      items: { type: 'string', contentMediaType: 'application/octet-stream' },
    },
    accessType: { type: 'string', enum: ['public', 'network'], default: 'public' },
    preferredFilename: { type: 'string', description: 'Name to show instead of those of the parts.' },
    altText: { type: 'string', maxLength: 1000 },
  },
};
