import { canChangeFile } from '../../src/access/file.ts';
import { viewerOf } from '../../src/context.ts';
import { fileUrlOf } from '../../src/domain/file/file-url.ts';
import { getFile } from '../../src/domain/file/get-file.ts';
import { listViewerFiles } from '../../src/domain/file/list-files.ts';
import type { FileRecord } from '../../src/store/records/media.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord } from '../shared/of-record.ts';
import { restEnum } from '../shared/rest-enum.ts';

export const File = nodeType<FileRecord>('File', {
  description: 'An uploaded file: image, video, audio or document.',
  id: 'fileId',
  load: (context, fileId) => getFile(context, { fileId }),
});

export const FileType = restEnum('FileType', 'Kind of content of a file, detected from its bytes on upload.', {
  image: 'Raster image, such as PNG, JPEG, GIF or WebP. SVG is a `FILE`.',
  file: 'Any other content, such as a document or an archive.',
  video: 'Video file.',
  clip: 'Short video clip. Accepted wherever a video is; uploaded with the kind `CLIP`, or through `POST /api/v4/clips`.',
  audio: 'Audio file.',
});
export const FileAccessType = restEnum('FileAccessType', 'Access level of a file.', {
  public: 'The URL of the file needs no access token. Default for uploads.',
  network: 'The file is only served to requests with an access token of the network; others receive 404.',
});

const FileMetadata = builder.objectRef<FileRecord['attributes']['metadata']>('FileMetadata').implement({
  description: 'Metadata of an image or video.',
  fields: (t) => ({
    exif: t.expose('exif', { type: 'JSONObject', description: 'EXIF tags.' }),
    gps: t.expose('gps', { type: 'JSONObject', description: 'GPS tags.' }),
    height: t.exposeInt('height', { description: 'Height in pixels; 0 when it has none.' }),
    width: t.exposeInt('width', { description: 'Width in pixels; 0 when it has none.' }),
    isFull: t.exposeBoolean('isFull', { description: 'Whether this is the full-size version.' }),
  }),
});

const FileAttributes = builder.objectRef<FileRecord['attributes']>('FileAttributes').implement({
  description: 'Properties of the stored file.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'File name.' }),
    extension: t.exposeString('extension', { description: 'File name extension without the dot.' }),
    size: t.exposeInt('size', { description: 'Size in bytes.' }),
    mimeType: t.exposeString('mimeType', { description: 'Media type.' }),
    metadata: t.expose('metadata', { type: FileMetadata, description: 'Metadata read from the content.' }),
  }),
});

builder.objectFields(File, (t) => ({
  fileId: t.exposeString('fileId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (file) => file._id.toHexString(),
  }),
  fileUrl: t.string({
    description: 'Download URL, below `PUBLIC_URL`.',
    ...ofRecord,
    resolve: (file, _, context) => fileUrlOf(context, file),
  }),
  altText: t.exposeString('altText', {
    nullable: true,
    description: 'Alternative text for users who cannot see the file.',
  }),
  type: t.expose('type', { type: FileType, description: 'Type of the file.' }),
  accessType: t.expose('accessType', { type: FileAccessType, description: 'Who can download the file.' }),
  attributes: t.expose('attributes', { type: FileAttributes, description: 'Properties of the stored file.' }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update it.',
    resolve: (file, _, context) => canChangeFile(viewerOf(context), file),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: (file, _, context) => canChangeFile(viewerOf(context), file),
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Upload time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
}));

builder.queryField('file', (t) =>
  t.field({
    type: File,
    nullable: true,
    description: 'A file by its public id.',
    args: { fileId: t.arg.string({ required: true, description: 'Public id of the file.' }) },
    resolve: (_, args, context) => getFile(context, args),
  }),
);

const FileConnection = connectionType(File, 'files');

builder.queryField('viewerFiles', (t) =>
  t.connection(
    {
      type: File,
      description: 'The files that the viewer uploaded, newest first.',
      resolve: async (_, args, context) => toConnection(await listViewerFiles(context, { request: pageRequest(args) })),
    },
    FileConnection,
  ),
);
