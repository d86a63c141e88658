import { z } from 'zod';
import {
  AddRestCommunityMembersDocument,
  BanRestCommunityMembersDocument,
  CreateRestCommunityDocument,
  DeleteRestCommunityDocument,
  JoinRestCommunityDocument,
  LeaveRestCommunityDocument,
  RemoveRestCommunityMembersDocument,
  UnbanRestCommunityMembersDocument,
  UpdateRestCommunityDocument,
} from '../../generated/documents.ts';
import { id, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = {
  section: 'legacy-facts §7',
  arrays: ['communities', 'communityUsers', 'files', 'users', 'categories', 'feeds', 'joinRequests'],
} as const;

/** The operation itself sets the bounds; a JSON body keeps its types. */
const fields = {
  description: z.string().nullish(),
  avatarFileId: z.string().nullish(),
  isPublic: z.boolean().nullish(),
  isDiscoverable: z.boolean().nullish(),
  requiresJoinApproval: z.boolean().nullish(),
  onlyAdminCanPost: z.boolean().nullish(),
  needApprovalOnPostCreation: z.boolean().nullish(),
  allowCommentInStory: z.boolean().nullish(),
  tags: list(text({ max: 100 }), { max: 20 }).nullish(),
  categoryIds: list(id(), { max: 20 }).nullish(),
  metadata: z.looseObject({}).nullish(),
};

const one = z.object({ communityId: id() });
const many = z.object({ communityId: id(), userIds: list(id(50), { min: 1, max: 100 }) });
const asInput = <Input>(input: Input): { input: Input } => ({ input });

const members = { ...shared, params: many, variables: asInput<z.output<typeof many>> };
const single = { ...shared, params: one, variables: asInput<z.output<typeof one>> };

export const changeCommunities: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/communities',
    summary: 'Make a community.',
    params: z.object({
      ...fields,
      displayName: text({ max: 100 }),
      userIds: list(id(50), { max: 100 }).nullish(),
    }),
    document: CreateRestCommunityDocument,
    variables: asInput,
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/communities/:communityId',
    summary: 'Change a community.',
    params: z.object({ ...fields, communityId: id(), displayName: text({ max: 100 }).nullish() }),
    document: UpdateRestCommunityDocument,
    variables: asInput,
  }),
  route({
    ...single,
    method: 'DELETE',
    path: '/api/v3/communities/:communityId',
    summary: 'Delete a community.',
    document: DeleteRestCommunityDocument,
  }),
  route({
    ...single,
    method: 'POST',
    path: '/api/v3/communities/:communityId/join',
    summary: 'Join a community, or ask to.',
    document: JoinRestCommunityDocument,
  }),
  route({
    ...single,
    method: 'DELETE',
    path: '/api/v3/communities/:communityId/leave',
    summary: 'Leave a community.',
    document: LeaveRestCommunityDocument,
  }),
  route({
    ...members,
    method: 'POST',
    path: '/api/v3/communities/:communityId/users',
    summary: 'Add members to a community.',
    document: AddRestCommunityMembersDocument,
  }),
  route({
    ...members,
    method: 'DELETE',
    path: '/api/v3/communities/:communityId/users',
    summary: 'Remove members of a community.',
    document: RemoveRestCommunityMembersDocument,
  }),
  route({
    ...members,
    method: 'PUT',
    path: '/api/v3/communities/:communityId/users/ban',
    summary: 'Ban users from a community.',
    document: BanRestCommunityMembersDocument,
  }),
  route({
    ...members,
    method: 'PUT',
    path: '/api/v3/communities/:communityId/users/unban',
    summary: 'Take bans of a community back.',
    document: UnbanRestCommunityMembersDocument,
  }),
];
