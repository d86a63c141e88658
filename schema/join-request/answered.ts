import type { Answered } from '../../src/domain/join-request/answer-join-request.ts';
import type { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { CommunityUser } from '../community/community-user.ts';
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
