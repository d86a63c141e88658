import { eraseUser, eraseUserInput } from '../../src/erasure/erase-user.ts';
import { getUserErasure } from '../../src/erasure/get-user-erasure.ts';
import { stepsOf } from '../../src/erasure/steps.ts';
import type { ErasedContent, ErasureState, UserErasureRecord } from '../../src/store/records/erasure.ts';
import { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';

const ErasedContentEnum = restEnum<ErasedContent>('ErasedContent', 'What happens to the content of an erased person.', {
  keep: 'Posts, comments, stories, messages, polls, rooms and video streams remain, without a name.',
  remove: 'They are deleted and their content is erased; the records remain empty, because others refer to them.',
});

const ErasureStateEnum = restEnum<ErasureState>('ErasureState', 'How far an erasure is.', {
  running: 'Steps are left. They continue without a request, also after a restart.',
  completed: 'All steps are completed.',
});

const UserErasure = builder.objectRef<UserErasureRecord>('UserErasure').implement({
  description: 'The erasure of a person’s data.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user.' }),
    content: t.expose('content', { type: ErasedContentEnum, description: 'What happens to the content.' }),
    state: t.expose('state', { type: ErasureStateEnum, description: 'How far the erasure is.' }),
    requestedById: t.exposeString('requestedBy', { description: 'Public id of the user who requested it.' }),
    completedSteps: t.exposeStringList('completedSteps', { description: 'Names of the completed steps.' }),
    totalSteps: t.int({ description: 'Number of all steps.', resolve: (erasure) => stepsOf(erasure).length }),
    requestedAt: t.expose('requestedAt', { type: 'DateTime', description: 'When it was requested.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last step was completed.',
    }),
  }),
});

builder.queryField('userErasure', (t) =>
  t.field({
    type: UserErasure,
    nullable: true,
    description: 'The erasure of a user, for users who assign network roles; null if none was requested.',
    args: { userId: t.arg.string({ required: true, description: 'Public id of the user.' }) },
    resolve: (_, { userId }, context) => getUserErasure(context, { userId }),
  }),
);

mutationField(
  'eraseUser',
  inputOf(eraseUserInput, { content: ErasedContentEnum }),
  {
    description:
      'Erases the data of a person, for users who assign network roles: deletes the account, and then the profile, the copies of the name, uploaded files, devices and sessions, in steps that `userErasure` reports. The id of the user remains. Cannot be undone.',
    resolve: async (_, { input }, context) => ({ erasure: await eraseUser(context, input) }),
    ...causes(
      'user.deleted',
      'community.left',
      'community.userChanged',
      'channel.left',
      'join-request.cancelled',
      'follow.unfollowed',
      'follow.requestCanceled',
      'follow.followerDeleted',
      'follow.requestDeclined',
      'post.deleted',
      'comment.deleted',
      'story.updated',
      'story.deleted',
      'message.deleted',
      'file.deleted',
    ),
  },
  {
    outputFields: (t) => ({
      erasure: t.expose('erasure', { type: UserErasure, description: 'The erasure, which may be completed already.' }),
    }),
  },
);
