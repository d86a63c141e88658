import { fileRecord } from '../../../src/sample/builders/media.ts';
import { createSampleContext } from '../../../src/sample/context.ts';
import type { Fixtures, Variables } from '../fixtures.ts';
import { type MatrixCase, mutationCase } from '../matrix-case.ts';

async function fileIn(fixtures: Fixtures): Promise<{ fileId: string }> {
  const context = createSampleContext({ networkId: 'default', now: new Date() });
  const metadata = { exif: {}, gps: {}, height: 0, width: 0, isFull: true };
  const fileId = fixtures.uniqueId('file');
  const attributes = { name: 'notes.txt', extension: 'txt', size: 1, mimeType: 'text/plain', metadata };
  const file = fileRecord(context, { fileId, type: 'file', userId: 'author', attributes });
  await fixtures.gateway.services.store.collections.files.insertOne(file);
  return { fileId };
}

const situation = 'that of `author`';
const path = (fileId: unknown) => `/api/v3/files/${fileId}`;

export const FILE_CASES: MatrixCase[] = [
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
    prepare: (fixtures) => fileIn(fixtures),
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  },
  mutationCase('uploadFiles', 'a new one', {
    select: 'files { fileId }',
    prepare: () => ({ files: [new File(['Notes'], 'notes.txt')] }),
  }),
  mutationCase('updateFile', situation, {
    select: 'file { fileId }',
    prepare: async (fixtures) => ({ ...(await fileIn(fixtures)), altText: 'Notes' }),
    rest: ({ input }: Variables) => ({
      method: 'PUT',
      path: path((input as { fileId: string }).fileId),
      body: input as object,
    }),
  }),
  mutationCase('deleteFile', situation, {
    select: 'file { fileId }',
    prepare: fileIn,
    rest: ({ input }: Variables) => ({ method: 'DELETE', path: path((input as { fileId: string }).fileId) }),
  }),
];
