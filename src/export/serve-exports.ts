import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createContext, type Services } from '../context.ts';
import { UnavailableError } from '../database-errors.ts';
import { viewerOfSession } from '../domain/session/authenticate.ts';
import { OperationError } from '../errors.ts';
import type { Charge } from '../limits/rates/charge.ts';
import { DOWNLOAD } from '../limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../limits/request-deadline.ts';
import type { UserExportRecord } from '../store/records/user-export.ts';
import { findExport, restoreExport, takeExport } from './export-user.ts';
import { createArchive } from './write-archive.ts';

/** Downloads of exports in progress in one process: each reads everything that is stored about a person. */
const MAX_DOWNLOADS = 3;

/** Maximum time that the end of the gateway waits until the URLs of interrupted downloads are valid again. */
const RESTORES_WITHIN_MS = 2_000;

export interface ExportOptions {
  services: Services;
  withDeadline: RequestDeadline;
  charge: Charge;
}

/**
 * `GET /exports?token=…`: the archive of an export that `exportUser` created, once. The token is in the query, because logs
 * contain none. There is no route for `HEAD`, which would use up the token.
 *
 * The end of the gateway does not wait for downloads, which can take hours: it breaks them, and their URLs are valid again.
 */
export function mountExports(server: FastifyInstance, { services, withDeadline, charge }: ExportOptions): void {
  let downloads = 0;
  let isClosing = false;
  const running = new Map<Readable, UserExportRecord>();

  server.addHook('preClose', async () => {
    isClosing = true;
    const interrupted = [...running];
    const restoring = Promise.all(interrupted.map(([, taken]) => restore(taken)));
    await Promise.race([restoring, pause(RESTORES_WITHIN_MS, undefined, { ref: false })]);
    for (const [archive] of interrupted) archive.destroy(new Error('The gateway ends.'));
  });

  async function restore(taken: UserExportRecord): Promise<void> {
    const { userId } = taken;
    await restoreExport(services, taken).catch((err: unknown) => {
      services.warn?.({ err, userId }, 'the URL of an interrupted export could not be restored');
    });
  }

  server.route<{ Querystring: { token?: unknown } }>({
    method: 'GET',
    url: '/exports',
    exposeHeadRoute: false,
    async handler(request, reply) {
      const { token } = request.query;
      await charge(request, { viewer: null }, DOWNLOAD);
      if (typeof token !== 'string' || reply.raw.destroyed) return reply.callNotFound();
      if (downloads >= MAX_DOWNLOADS) throw new UnavailableError('overloaded');
      downloads += 1;
      reply.raw.once('close', () => {
        downloads -= 1;
      });
      const taken = await withDeadline(() => take(request, token));
      if (!taken) return reply.callNotFound();
      if (isClosing) {
        await restore(taken);
        throw new UnavailableError('overloaded');
      }
      const archive = createArchive(services, taken);
      running.set(archive, taken);
      archive.once('close', () => running.delete(archive));
      archive.once('error', (err) => services.warn?.({ err, userId: taken.userId }, 'an export ended incomplete'));
      return reply
        .header('content-type', 'application/gzip')
        .header('content-disposition', 'attachment; filename="export.tar.gz"')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(archive);
    },
  });

  /** Whose export the token names; null for one that is unknown, was used, has expired, or belongs to a session that ended. */
  async function take(request: FastifyRequest, token: string): Promise<UserExportRecord | null> {
    const found = await findExport(services, token);
    const viewer = found && (await viewerOfSession(services, found.networkId, found.sessionId));
    if (!viewer) return null;
    const origin = { transport: 'rest', address: request.ip } as const;
    const deadline = performance.now() + services.config.DATABASE_TIMEOUT_MS;
    const context = createContext(services, viewer, undefined, deadline, undefined, null, origin);
    try {
      return await takeExport(context, token);
    } catch (error) {
      // Rights that ended meanwhile are not distinguishable from an unknown token.
      if (error instanceof OperationError) return null;
      throw error;
    }
  }
}
