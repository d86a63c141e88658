import { createCommunity } from '../../src/domain/community/create-community.ts';
import { deleteCommunity } from '../../src/domain/community/delete-community.ts';
import { updateCommunity } from '../../src/domain/community/update-community.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Community } from './community.ts';
import { communityInputFields } from './community-input.ts';
import { moved } from './moved.ts';

mutationField(
  'createCommunity',
  {
    description: 'What to make, and of whom.',
    inputFields: (t) => ({
      displayName: t.string({ required: true, description: 'Name to show, 1 to 100 characters.' }),
      ...communityInputFields(t),
      userIds: t.stringList({ description: 'At most 100 public ids of users who are members from the beginning.' }),
    }),
  },
  {
    description: 'Makes a community with its feeds and its chat. Whoever makes it moderates it.',
    resolve: (_, { input }, context) => createCommunity(context, input),
  },
  { description: 'The community and its first members.', outputFields: moved },
);

mutationField(
  'updateCommunity',
  {
    description: 'Which community, and what to change. What is absent stays; null clears what can be empty.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      displayName: t.string({ description: 'Name to show, 1 to 100 characters.' }),
      ...communityInputFields(t),
    }),
  },
  {
    description: 'Changes what is said of a community. Its chat takes its name, picture and openness.',
    resolve: async (_, { input }, context) => ({ community: await updateCommunity(context, input) }),
  },
  {
    description: 'The community as it is now.',
    outputFields: (t) => ({ community: t.expose('community', { type: Community, description: 'The community.' }) }),
  },
);

mutationField(
  'deleteCommunity',
  {
    description: 'Which community.',
    inputFields: (t) => ({ communityId: t.string({ required: true, description: 'Public id of the community.' }) }),
  },
  {
    description: 'Deletes a community and its chat.',
    resolve: async (_, { input }, context) => ({ community: await deleteCommunity(context, input) }),
  },
  {
    description: 'The deleted community.',
    outputFields: (t) => ({ community: t.expose('community', { type: Community, description: 'The community.' }) }),
  },
);
