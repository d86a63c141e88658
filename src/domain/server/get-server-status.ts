import { canReadServerStatus } from '../../access/server.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { storeBytes } from '../../observe/metrics/definitions.ts';
import { readServerStatus, type ServerStatus } from '../../observe/server-status.ts';
import type { Readiness } from '../../store/availability.ts';
import { countPending } from '../../webhooks/backlog.ts';

export interface ReportedStatus extends ServerStatus {
  database: Readiness & { isEmbedded: boolean };
}

/** The status of the processes that serve this request's address. @throws {OperationError} PERMISSION_DENIED */
export async function getServerStatus(context: Context): Promise<ReportedStatus> {
  if (!canReadServerStatus(viewerOf(context))) throw new OperationError('PERMISSION_DENIED');
  const { config, store } = context;
  const [status, readiness] = await Promise.all([readServerStatus(context.now()), store.availability.readiness()]);
  return { ...status, database: { ...readiness, isEmbedded: config.MONGODB_URI === undefined } };
}

/** Pending deliveries of webhooks in the viewer's network. */
export function getWebhookBacklog(context: Context): Promise<number> {
  return countPending(context.store.collections, viewerOf(context).networkId);
}

/** Disk space of the database in bytes, at most a minute old; null if it is unknown. */
export async function getStoreBytes(): Promise<number | null> {
  return (await storeBytes.total()) || null;
}
