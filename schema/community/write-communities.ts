import { communityIdInput } from '../../src/domain/community/community-fields.ts';
import { createCommunity, createCommunityInput } from '../../src/domain/community/create-community.ts';
import { deleteCommunity } from '../../src/domain/community/delete-community.ts';
import { updateCommunity, updateCommunityInput } from '../../src/domain/community/update-community.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Community } from './community.ts';
import { MEMBERSHIP_PAYLOAD } from './membership-payload.ts';

mutationField(
  'createCommunity',
  inputOf(createCommunityInput),
  {
    description: 'Creates a community with its feeds and its chat channel, and with the viewer as its moderator.',
    resolve: (_, { input }, context) => createCommunity(context, input),
    ...causes('community.created', 'channel.created'),
  },
  MEMBERSHIP_PAYLOAD,
);

mutationField(
  'updateCommunity',
  inputOf(updateCommunityInput),
  {
    description:
      'Changes a community. Omitted fields stay unchanged; null clears an optional field. The chat channel of the community takes over name, avatar and visibility.',
    resolve: async (_, { input }, context) => ({ community: await updateCommunity(context, input) }),
    ...causes('community.updated', 'channel.updated'),
  },
  {
    outputFields: (t) => ({
      community: t.expose('community', { type: Community, description: 'The updated community.' }),
    }),
  },
);

mutationField(
  'deleteCommunity',
  inputOf(communityIdInput),
  {
    description: 'Deletes a community and its chat channel.',
    resolve: async (_, { input }, context) => ({ community: await deleteCommunity(context, input) }),
    ...causes('community.deleted', 'channel.deleted'),
  },
  {
    outputFields: (t) => ({
      community: t.expose('community', { type: Community, description: 'The deleted community.' }),
    }),
  },
);
