import { canReadAuditLog } from '../../src/access/audit.ts';
import { viewerOf } from '../../src/context.ts';
import { getAuditEntry } from '../../src/domain/audit/list-audit-log.ts';
import { getUser } from '../../src/domain/user/get-user.ts';
import type { AuditActorKind, AuditEntryRecord, AuditSubject, Transport } from '../../src/store/records/audit.ts';
import { builder } from '../builder.ts';
import { nodeType } from '../shared/node.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { User } from '../user/user.ts';

export const AuditEntry = nodeType<AuditEntryRecord>('AuditEntry', {
  description:
    'An act by right of a permission, a role or a key: who acted, on what, why, when and from where. Contains ids, the names of changed fields and keys, and values of settings, but nothing that users wrote except the reason.',
  id: 'auditId',
  load: (context, auditId) => getAuditEntry(context, { auditId }),
  sees: async (context) => canReadAuditLog(viewerOf(context)),
});

const AuditActorKindEnum = restEnum<AuditActorKind>('AuditActorKind', 'Who acted.', {
  user: 'A user.',
  serverKey: 'The server of the application, with the server key.',
  operator: 'An operator at the command line.',
  system: 'The gateway itself, such as at the end of a ban.',
});

export const AuditSubjectEnum = restEnum<AuditSubject>('AuditSubject', 'Kind of record that an act concerns.', {
  category: 'A category.',
  channel: 'A channel.',
  comment: 'A comment.',
  community: 'A community.',
  file: 'A file.',
  joinRequest: 'A request to join a community.',
  message: 'A message.',
  messageFeed: 'A message feed.',
  network: 'The network with its settings.',
  poll: 'A poll.',
  post: 'A post.',
  role: 'A role.',
  room: 'A room.',
  story: 'A story.',
  user: 'A user, or their membership of the community or channel of the entry.',
  videoStream: 'A video stream.',
  webhookEndpoint: 'A webhook endpoint.',
});

const AuditTransport = restEnum<Transport>('AuditTransport', 'How an act reached the gateway.', {
  graphql: 'GraphQL over HTTP.',
  rest: 'REST.',
  websocket: 'GraphQL over a WebSocket.',
  'socket.io': 'socket.io.',
  mqtt: 'MQTT.',
  command: 'The command line.',
  background: 'Work of the gateway that no request caused.',
});

builder.objectFields(AuditEntry, (t) => ({
  auditId: t.exposeString('auditId', { description: 'Public id.' }),
  actorKind: t.expose('actorKind', { type: AuditActorKindEnum, description: 'Who acted.' }),
  actorId: t.exposeString('actorId', { nullable: true, description: 'Public id of the user who acted.' }),
  actor: t.field({
    type: User,
    nullable: true,
    description: 'The user who acted.',
    resolve: ({ actorId }, _, context) => (actorId === null ? null : getUser(context, { userId: actorId })),
  }),
  action: t.exposeString('action', { description: 'Name of the mutation, such as `banUser`.' }),
  subjectType: t.expose('subjectType', { type: AuditSubjectEnum, description: 'Kind of the record acted on.' }),
  subjectId: t.exposeString('subjectId', { description: 'Public id of the record acted on.' }),
  affectedUserId: t.exposeString('affectedUserId', {
    nullable: true,
    description: 'Public id of the user whom the act affects: the author of the content, or the member.',
  }),
  affectedUser: t.field({
    type: User,
    nullable: true,
    description: 'The user whom the act affects.',
    resolve: ({ affectedUserId }, _, context) =>
      affectedUserId === null ? null : getUser(context, { userId: affectedUserId }),
  }),
  communityId: t.exposeString('communityId', {
    nullable: true,
    description: 'Public id of the community in which the act took place.',
  }),
  channelId: t.exposeString('channelId', {
    nullable: true,
    description: 'Public id of the channel in which the act took place.',
  }),
  reason: t.exposeString('reason', { nullable: true, description: 'Reason that the actor gave.' }),
  details: t.field({
    type: 'JSONObject',
    description: 'Further facts, such as the roles or the names of the changed fields.',
    resolve: ({ details }) => details,
  }),
  transport: t.expose('transport', { type: AuditTransport, description: 'How the act reached the gateway.' }),
  address: t.exposeString('address', { nullable: true, description: 'Address of the client.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the act.' }),
}));
