import { createCommunity } from '../../src/domain/community/create-community.ts';
import { mutationField } from '../shared/mutation-field.ts';
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
    errors: {},
    resolve: (_, { input }, context) => createCommunity(context, input),
  },
  { description: 'The community and its first members.', outputFields: moved },
);
