import type { BaseRecord, Json } from './base.ts';

/** Kinds of records that a privileged act concerns. */
export const AUDIT_SUBJECTS = [
  'category',
  'channel',
  'comment',
  'community',
  'file',
  'joinRequest',
  'message',
  'messageFeed',
  'network',
  'poll',
  'post',
  'role',
  'room',
  'story',
  'user',
  'videoStream',
  'webhookEndpoint',
] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** Who acted: a user, the holder of the server key, an operator at the command line, or the gateway itself. */
export type AuditActorKind = 'user' | 'serverKey' | 'operator' | 'system';

/** How a request reached the gateway; `background`: work that no request caused; `command`: the command line. */
export type Transport = 'graphql' | 'rest' | 'websocket' | 'socket.io' | 'mqtt' | 'command' | 'background';

/** A privileged act. Contains no names or texts of users except the reason; `details` has names of fields and keys, and settings. */
export interface AuditEntryRecord extends BaseRecord {
  auditId: string;
  actorKind: AuditActorKind;
  /** The user who acted; null for the other kinds. */
  actorId: string | null;
  /** Name of the mutation, or of the act of the command line or of the gateway. */
  action: string;
  subjectType: AuditSubject;
  /** Public id. */
  subjectId: string;
  /** The user on whom the act has an effect: the author of the content, or the member. */
  affectedUserId: string | null;
  /** Where the act took place; both null in the network and on users' feeds. */
  communityId: string | null;
  channelId: string | null;
  reason: string | null;
  details: Json;
  transport: Transport;
  /** Client address. */
  address: string | null;
  /** When the entry is removed; absent: never. */
  expiresAt?: Date;
}
