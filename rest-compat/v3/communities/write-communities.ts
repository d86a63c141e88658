import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, list, text } from '../../params.ts';
import { COMMUNITY_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS } from '../../side-arrays.ts';

const COMMUNITY = 'communities: community { ...CommunityWithViewer }';

const shared = { reference: 'write-communities', arrays: COMMUNITY_ARRAYS } as const;

/** The domain operation checks the bounds of these fields. */
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

export const writeCommunities = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/communities',
    summary: 'Create a community.',
    params: z.object({
      ...fields,
      displayName: text({ max: 100 }),
      userIds: list(id(50), { max: 100 }).nullish(),
    }),
    document: mutation('createCommunity', COMMUNITY_AND_USERS),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/communities/:communityId',
    summary: 'Update a community.',
    params: z.object({ ...fields, communityId: id(), displayName: text({ max: 100 }).nullish() }),
    document: mutation('updateCommunity', COMMUNITY),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/communities/:communityId',
    summary: 'Delete a community.',
    params: z.object({ communityId: id() }),
    document: mutation('deleteCommunity', COMMUNITY),
    variables: (input) => ({ input }),
  }),
];
