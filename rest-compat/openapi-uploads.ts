import { MAX_FILES } from '../src/files/upload.ts';
import { UPLOAD_PATHS } from '../src/files/upload-paths.ts';

type JsonSchema = { [key: string]: unknown };

/** OpenAPI paths of the uploads, whose multipart bodies routes do not describe. */
export function uploadPaths(): { [path: string]: { post: JsonSchema } } {
  return Object.fromEntries(UPLOAD_PATHS.map(([path, kind]) => [path, { post: upload(kind) }]));
}

function upload(kind: string): JsonSchema {
  return {
    operationId: `upload${kind[0]!.toUpperCase()}${kind.slice(1)}s`,
    tags: ['files'],
    summary:
      kind === 'file'
        ? 'Upload files of any kind.'
        : `Upload ${kind} files; files of other kinds are rejected with 415.`,
    description:
      'The kind of a file is determined by its bytes, not by its name or content type. A file above the size limit of the gateway is rejected with 413.',
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
      description: 'Parts with the contents of the files.',
      type: 'array',
      minItems: 1,
      maxItems: MAX_FILES,
      items: { type: 'string', contentMediaType: 'application/octet-stream' },
    },
    accessType: {
      description: 'Who can download the files: everybody, or requests with an access token of the network.',
      type: 'string',
      enum: ['public', 'network'],
      default: 'public',
    },
    preferredFilename: { type: 'string', description: 'File name of the records, instead of the names of the parts.' },
    altText: { type: 'string', maxLength: 1000, description: 'Alternative text for users who cannot see the files.' },
  },
};
