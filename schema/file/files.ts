import { listViewerFiles } from '../../src/domain/file/list-files.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { File } from './file.ts';

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
