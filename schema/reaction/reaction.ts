import { getReaction } from '../../src/domain/reaction/get-reaction.ts';
import type { ReactionRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const Reaction = nodeType<ReactionRecord>('Reaction', {
  description: 'That one user reacted to something in one way; the `reactor` of the REST interface.',
  id: (reaction) => reaction.reactionId,
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
  reactionName: t.exposeString('reactionName', { description: 'How: any name, such as `like`.' }),
  referenceType: t.expose('referenceType', { type: ReactionReferenceType, description: 'What it reacts to.' }),
  referenceId: t.exposeString('referenceId', { description: 'Public id of what it reacts to.' }),
  userId: t.exposeString('userId', { description: 'Public id of who reacted.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of who reacted.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  user: t.field({
    type: User,
    nullable: true,
    description: 'Who reacted.',
    resolve: (reaction, _, context) => loadUser(context, reaction.userId),
  }),
}));

export const ReactionConnection = connectionType(Reaction, 'reactions');

builder.queryField('reaction', (t) =>
  t.field({
    type: Reaction,
    nullable: true,
    description: 'One reaction by public id.',
    args: { reactionId: t.arg.string({ required: true, description: 'Public id.' }) },
    resolve: (_, args, context) => getReaction(context, args),
  }),
);
