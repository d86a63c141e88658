import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context, Services, Viewer } from '../context.ts';
import type { Charge } from '../limits/rates/charge.ts';
import { DOWNLOAD } from '../limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../limits/request-deadline.ts';
import type { FileRecord } from '../store/records/media.ts';
import { type ByteRange, readByteRange } from './byte-range.ts';
import { isPlainId, type StoredBytes } from './file-storage.ts';
import { StorageError } from './storage-error.ts';

/** Content types that a browser may display inline; all others are offered for download. */
const INLINE =
  /^(image\/(png|jpeg|gif|webp|avif)|video\/(mp4|webm|quicktime)|audio\/(mpeg|mp4|wav|ogg|webm|aac|flac|x-m4a|x-flac))$/;

export interface ServeOptions {
  services: Services;
  withDeadline: RequestDeadline;
  contextOf: (request: FastifyRequest) => Promise<Context>;
  charge: Charge;
}

/**
 * `GET /files/<fileId>`: the bytes of a file or a range of them. Files that are not public require a token of their network.
 * `HEAD` is answered from the record, without the storage: also for a file whose bytes were lost.
 */
export function mountFiles(server: FastifyInstance, { services, withDeadline, contextOf, charge }: ServeOptions): void {
  server.route<{ Params: { fileId: string } }>({
    // Fastify's own route for HEAD would read the whole file.
    method: ['GET', 'HEAD'],
    url: '/files/:fileId',
    async handler(request, reply) {
      const { fileId } = request.params;
      const file = isPlainId(fileId) ? await withDeadline(() => findFile(services, fileId)) : null;
      // The session is read for other files only: pages contain many public ones.
      const isPublic = file?.accessType === 'public';
      const viewer = file && !isPublic ? await withDeadline(() => findViewer(request)) : null;
      await charge(request, { viewer }, DOWNLOAD);
      // Viewers of other networks get the same answer as for a file that does not exist.
      if (!file || !(isPublic || viewer?.networkId === file.networkId)) return reply.callNotFound();
      const { mimeType, name, size } = file.attributes;
      // A file has no version that a client could send in If-Range, because it never changes.
      const range = request.headers['if-range'] === undefined ? readByteRange(request.headers.range, size) : null;
      reply.header('accept-ranges', 'bytes');
      if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
      const described = { size: range ? range.end - range.start + 1 : size, bytes: undefined };
      const found = request.method === 'HEAD' ? described : await read(request, fileId, range);
      if (!found) return reply.callNotFound();
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
      const isInline = INLINE.test(mimeType);
      return reply
        .header('content-type', isInline ? mimeType : 'application/octet-stream')
        .header('content-disposition', `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(name)}`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', isPublic ? 'public, max-age=3600' : 'private, no-store')
        .header('content-length', found.size)
        .send(found.bytes);
    },
  });

  async function read(request: FastifyRequest, fileId: string, range: ByteRange | null): Promise<StoredBytes | null> {
    try {
      return await services.files.get(fileId, range);
    } catch (error) {
      if (error instanceof StorageError) request.log.error({ err: error.cause }, 'a file could not be read');
      throw error;
    }
  }

  async function findViewer(request: FastifyRequest): Promise<Viewer | null> {
    const context = await contextOf(request).catch(() => null);
    return context?.viewer ?? null;
  }
}

function findFile({ store, config }: Services, fileId: string): Promise<FileRecord | null> {
  return store.batchers.files.load(config.NETWORK_ID, fileId);
}

/** Percent-encodes a name as in RFC 8187, also the marks that `encodeURIComponent` leaves unencoded. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
