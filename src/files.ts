import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Services } from './context.ts';
import type { Guard } from './limits/guard.ts';

/** Content types that a browser may show in place; everything else is offered for download. */
const INLINE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'video/mp4', 'audio/mpeg', 'audio/wav']);

/** Folder of stored files inside the data folder. */
export function filesFolder(services: Pick<Services, 'config'>): string {
  return join(services.config.DATA_DIR, 'files');
}

/** The gateway makes file ids itself; only such a plain one ever becomes part of a path. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,100}$/;

/** `GET /files/<fileId>`: the bytes of a public file. */
export function mountFiles(server: FastifyInstance, services: Services, guard: Guard): void {
  server.get<{ Params: { fileId: string } }>('/files/:fileId', async (request, reply) => {
    const { fileId } = request.params;
    const file = PLAIN_ID.test(fileId)
      ? await guard(() => services.store.batchers.files.load(services.config.NETWORK_ID, fileId))
      : null;
    const path = file?.accessType === 'public' ? join(filesFolder(services), fileId) : null;
    const found = path ? await stat(path).catch(() => null) : null;
    if (!file || !path || !found?.isFile()) return reply.callNotFound();
    const { mimeType, name } = file.attributes;
    return reply
      .header('content-type', INLINE.has(mimeType) ? mimeType : 'application/octet-stream')
      .header(
        'content-disposition',
        `${INLINE.has(mimeType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
      )
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'public, max-age=3600')
      .header('content-length', found.size)
      .send(createReadStream(path));
  });
}
