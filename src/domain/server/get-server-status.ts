import { canReadServerStatus } from '../../access/server.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { storeBytes } from '../../observe/metrics/definitions.ts';
import { readServerStatus, type ServerStatus } from '../../observe/server-status.ts';
import type { Readiness } from '../../store/availability.ts';
import { countPending } from '../../webhooks/backlog.ts';

/** A secret that verifies tokens and signs none. */
export interface AcceptedTokenSecret {
  /** When it is refused from; null: never. */
  until: Date | null;
  hasEnded: boolean;
}

export interface ReportedStatus extends ServerStatus {
  database: Readiness & { isEmbedded: boolean };
  acceptedTokenSecrets: AcceptedTokenSecret[];
}

/** The status of the processes that serve this request's address. @throws {OperationError} PERMISSION_DENIED */
export async function getServerStatus(context: Context): Promise<ReportedStatus> {
  if (!canReadServerStatus(viewerOf(context))) throw new OperationError('PERMISSION_DENIED');
  const { config, store } = context;
  const [status, readiness] = await Promise.all([readServerStatus(context.now()), store.availability.readiness()]);
  const acceptedTokenSecrets = config.TOKEN_SECRET_ACCEPTED.map(({ until }) => ({
    until,
    hasEnded: until !== null && context.hasPassed(until),
  }));
  const database = { ...readiness, isEmbedded: config.MONGODB_URI === undefined };
  return { ...status, database, acceptedTokenSecrets };
}

/** Pending deliveries of webhooks in the viewer's network. */
export function getWebhookBacklog(context: Context): Promise<number> {
  return countPending(context.store.collections, viewerOf(context).networkId);
}

/** Disk space of the database in bytes, at most a minute old; null if it is unknown. */
export async function getStoreBytes(): Promise<number | null> {
  return (await storeBytes.total()) || null;
}
