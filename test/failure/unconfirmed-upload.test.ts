import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Context, Services, Viewer } from '../../src/context.ts';
import { UnavailableError } from '../../src/database-errors.ts';
import { OperationError } from '../../src/errors.ts';
import { startUpload } from '../../src/files/upload.ts';

/** Uploads a file whose records cannot be created, and discards the upload. @returns how many files were removed */
async function removedAfter(error: Error): Promise<number> {
  const removed: string[] = [];
  const files = {
    async put(_fileId: string, bytes: Readable) {
      for await (const _ of bytes);
    },
    get: async () => null,
    remove: async (fileId: string) => void removed.push(fileId),
  };
  const viewer = {
    networkId: 'default',
    userId: 'alice',
    userType: 'signed-in',
    roles: [],
    permissions: [],
  } as unknown as Viewer;
  const upload = startUpload({ files } as unknown as Services, { viewer, kind: 'file', fields: {} } as never);
  await upload.store({
    stream: Object.assign(Readable.from(['text']), { truncated: false }),
    filename: 'a.txt',
  } as never);
  const fail = () => Promise.reject(error);
  const context = {
    viewer,
    now: () => new Date(),
    transaction: fail,
    load: { users: { load: fail } },
    config: {},
  } as unknown as Context;
  await expect(upload.create(context)).rejects.toBe(error);
  await upload.discard();
  return removed.length;
}

test('keeps the bytes of an upload whose records may exist, and removes those of one that was refused', async () => {
  expect(await removedAfter(new UnavailableError('unsure'))).toBe(0);
  expect(await removedAfter(new OperationError('FORBIDDEN'))).toBe(1);
});
