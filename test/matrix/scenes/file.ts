import { fileRecord } from '../../../src/sample/builders/media.ts';
import { createSampleContext } from '../../../src/sample/context.ts';
import { mutationScene, type Scene } from '../scene.ts';
import type { Variables, World } from '../world.ts';

async function fileIn(world: World): Promise<{ fileId: string }> {
  const context = createSampleContext({ networkId: 'default', now: new Date() });
  const metadata = { exif: {}, gps: {}, height: 0, width: 0, isFull: true };
  const fileId = world.fresh('file');
  const attributes = { name: 'notes.txt', extension: 'txt', size: 1, mimeType: 'text/plain', metadata };
  const file = fileRecord(context, { fileId, type: 'file', userId: 'author', attributes });
  await world.gateway.services.store.collections.files.insertOne(file);
  return { fileId };
}

const situation = 'that of `author`';
const path = (fileId: unknown) => `/api/v3/files/${fileId}`;

export const FILE_SCENES: Scene[] = [
  {
    operation: 'file',
    situation,
    document: 'query ($fileId: String!) { answer: file(fileId: $fileId) { fileId } }',
    prepare: fileIn,
    rest: ({ fileId }) => ({ method: 'GET', path: path(fileId) }),
  },
  {
    operation: 'viewerFiles',
    situation: 'of `author`',
    document: '{ answer: viewerFiles { edges { node { fileId } } } }',
    prepare: (world) => fileIn(world),
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  },
  mutationScene('updateFile', situation, {
    select: 'file { fileId }',
    prepare: async (world) => ({ ...(await fileIn(world)), altText: 'Notes' }),
  }),
  mutationScene('deleteFile', situation, {
    select: 'file { fileId }',
    prepare: fileIn,
    rest: ({ input }: Variables) => ({ method: 'DELETE', path: path((input as { fileId: string }).fileId) }),
  }),
];
