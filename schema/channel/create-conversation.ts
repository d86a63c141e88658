import { createConversation } from '../../src/domain/channel/conversations/create-conversation.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { lookFields } from './channel-fields.ts';
import { MEMBERS_PAYLOAD } from './channel-payloads.ts';

mutationField(
  'createConversation',
  {
    description: 'With whom.',
    inputFields: (t) => ({
      userIds: t.stringList({ required: true, description: '1 to 100 public ids of the others.' }),
      isDistinct: t.boolean({ description: 'Whether it is the only one of these people; true unless told.' }),
      displayName: t.string({
        description:
          'Name to show, at most 100 characters. By default the names of its members, as they are when it is read.',
      }),
      ...lookFields(t),
    }),
  },
  {
    description:
      'Opens a conversation, or finds it: the same people always get the same one unless it is not to be distinct.',
    errors: {},
    resolve: (_, { input }, context) => createConversation(context, input),
  },
  MEMBERS_PAYLOAD,
);
