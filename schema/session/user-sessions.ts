import { viewerOf } from '../../src/context.ts';
import { type ListedSession, listSessions } from '../../src/domain/session/list-sessions.ts';
import { builder } from '../builder.ts';

const UserSession = builder.objectRef<ListedSession>('UserSession').implement({
  description: 'A session that a user has on a device, without its token.',
  fields: (t) => ({
    sessionId: t.exposeString('sessionId', { description: 'Id of the session, for `revokeSessions`.' }),
    deviceId: t.exposeString('deviceId', {
      nullable: true,
      description: 'Id that the client chose for its device; null for sessions of login links.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user signed in.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the session ends by itself.' }),
    isOfRequest: t.boolean({
      description: 'Whether it is the session of this request.',
      resolve: ({ sessionId }, _, context) => sessionId === viewerOf(context).sessionId,
    }),
  }),
});

builder.queryField('userSessions', (t) =>
  t.field({
    type: [UserSession],
    description:
      'The sessions of a user that have not ended, newest first, at most 100: one’s own, or for users with `BAN_USER` those of users up to their rank.',
    args: { userId: t.arg.string({ required: true, description: 'Public id of the user.' }) },
    resolve: (_, { userId }, context) => listSessions(context, { userId }),
  }),
);
