import { communityIdInput } from '../../src/domain/community/community-fields.ts';
import {
  type Answered,
  answerJoinRequestInput,
  approveJoinRequest,
  cancelJoinRequest,
  rejectJoinRequest,
} from '../../src/domain/community/join-requests/answer-join-request.ts';
import type { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { CommunityUser } from '../community/community-user.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { JoinRequest } from './join-request.ts';

type OutputFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Answered>;

const ANSWER_PAYLOAD = {
  outputFields: (t: OutputFields) => ({
    community: t.expose('community', { type: Community, description: 'The community.' }),
    joinRequest: t.expose('joinRequest', { type: JoinRequest, description: 'The answered join request.' }),
    member: t.expose('member', {
      type: CommunityUser,
      nullable: true,
      description: 'The membership of the requestor; null unless the request was approved.',
    }),
  }),
};

mutationField(
  'approveJoinRequest',
  inputOf(answerJoinRequestInput),
  {
    description: 'Approves a join request: the requestor becomes a member.',
    resolve: (_, { input }, context) => approveJoinRequest(context, input),
    ...causes('community.joined', 'community.userChanged', 'channel.joined', 'join-request.approved'),
  },
  ANSWER_PAYLOAD,
);

mutationField(
  'rejectJoinRequest',
  inputOf(answerJoinRequestInput),
  {
    description: 'Rejects a join request. The requestor can send a new one.',
    resolve: (_, { input }, context) => rejectJoinRequest(context, input),
    ...causes('join-request.rejected'),
  },
  ANSWER_PAYLOAD,
);

mutationField(
  'cancelJoinRequest',
  inputOf(communityIdInput),
  {
    description: 'Cancels the pending join request of the viewer.',
    resolve: async (_, { input }, context) => ({ joinRequest: await cancelJoinRequest(context, input) }),
    ...causes('join-request.cancelled'),
  },
  {
    outputFields: (t) => ({
      joinRequest: t.expose('joinRequest', { type: JoinRequest, description: 'The cancelled join request.' }),
    }),
  },
);
