import { getReaction } from '../../src/domain/reaction/get-reaction.ts';
import type { ReactionRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { countedConnectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const Reaction = nodeType<ReactionRecord>('Reaction', {
  description: 'A reaction of a user to a record; `reactor` in REST.',
  id: 'reactionId',
  load: (context, reactionId) => getReaction(context, { reactionId }),
});

export const ReactionReferenceType = restEnum('ReactionReferenceType', 'Kind of record that a reaction is added to.', {
  post: 'A post.',
  comment: 'A comment or a reply to one.',
  story: 'A story.',
  message: 'A chat message.',
});

builder.objectFields(Reaction, (t) => ({
  reactionId: t.exposeString('reactionId', { description: 'Public id.' }),
  reactionName: t.exposeString('reactionName', { description: 'Name of the reaction, such as `like`.' }),
  referenceType: t.expose('referenceType', { type: ReactionReferenceType, description: 'Kind of record.' }),
  referenceId: t.exposeString('referenceId', { description: 'Public id of the record.' }),
  userId: t.exposeString('userId', { description: 'Public id of the user who reacted.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the user who reacted.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the reaction.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  user: t.field({
    type: User,
    nullable: true,
    description: 'The user who reacted.',
    resolve: (reaction, _, context) => loadUser(context, reaction.userId),
  }),
}));

export const ReactionConnection = countedConnectionType(Reaction, {
  plural: 'reactions',
  unknown: 'for those of a deleted record, and in `Query.reactions`',
});

builder.queryField('reaction', (t) =>
  t.field({
    type: Reaction,
    nullable: true,
    description: 'A reaction by its public id.',
    args: { reactionId: t.arg.string({ required: true, description: 'Public id of the reaction.' }) },
    resolve: (_, args, context) => getReaction(context, args),
  }),
);
