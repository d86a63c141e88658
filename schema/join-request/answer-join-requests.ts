import {
  type Answered,
  approveJoinRequest,
  cancelJoinRequest,
  rejectJoinRequest,
} from '../../src/domain/join-request/answer-join-request.ts';
import type { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { CommunityUser } from '../community/community-user.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { JoinRequest } from './join-request.ts';

type OutputFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Answered>;

/** What mutations that answer a request to join return. */
export const answered = (t: OutputFields) => ({
  community: t.expose('community', { type: Community, description: 'The community.' }),
  joinRequest: t.expose('joinRequest', { type: JoinRequest, description: 'The request, answered.' }),
  member: t.expose('member', {
    type: CommunityUser,
    nullable: true,
    description: 'Who asked, as a member; null unless the request was approved.',
  }),
});

mutationField(
  'approveJoinRequest',
  {
    description: 'Which request: who asked, and where.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      userId: t.string({ required: true, description: 'Public id of whoever asked.' }),
    }),
  },
  {
    description: 'Makes whoever asked to join a member.',
    resolve: (_, { input }, context) => approveJoinRequest(context, input),
  },
  { description: 'The request, answered.', outputFields: answered },
);

mutationField(
  'rejectJoinRequest',
  {
    description: 'Which request: who asked, and where.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      userId: t.string({ required: true, description: 'Public id of whoever asked.' }),
    }),
  },
  {
    description: 'Refuses whoever asked to join; they may ask again.',
    resolve: (_, { input }, context) => rejectJoinRequest(context, input),
  },
  { description: 'The request, answered.', outputFields: answered },
);

mutationField(
  'cancelJoinRequest',
  {
    description: 'Where the viewer asked to join.',
    inputFields: (t) => ({ communityId: t.string({ required: true, description: 'Public id of the community.' }) }),
  },
  {
    description: "Takes the viewer's pending request to join back.",
    resolve: async (_, { input }, context) => ({ joinRequest: await cancelJoinRequest(context, input) }),
  },
  {
    description: 'The request, taken back.',
    outputFields: (t) => ({ joinRequest: t.expose('joinRequest', { type: JoinRequest, description: 'The request.' }) }),
  },
);
