import {
  itemKeyInput,
  type Resolution,
  resolveItem,
  resolveItemInput,
} from '../../src/domain/moderation/queue/resolve-item.ts';
import { type ItemResult, resolveItems, resolveItemsInput } from '../../src/domain/moderation/queue/resolve-items.ts';
import { BanKindEnum } from '../ban/ban.ts';
import { builder } from '../builder.ts';
import { ErrorCode } from '../shared/error-code.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { ModerationKind } from './moderation-item.ts';

const ModerationAction = restEnum<Resolution>(
  'ModerationAction',
  'A decision about an item of the moderation queue, which takes the item out of it.',
  {
    approve: 'Keeps the record: publishes a post that awaits review, and clears flags.',
    decline: 'Declines a post that awaits review, and clears its flags.',
    clearFlags: 'Clears the flags. A post that awaits review stays in the queue.',
    delete: 'Deletes the content. Not for users.',
    banAuthor: 'Bans the author and deletes the content; of a user, bans the user and clears the flags.',
  },
);

const ModerationItemKey = inputType('ModerationItemKey', 'Names an item of the moderation queue.', {
  schema: itemKeyInput,
  types: { kind: ModerationKind },
});

const EVENTS = causes(
  'post.approved',
  'mention-post.created',
  'post.declined',
  'post.flagsCleared',
  'comment.flagsCleared',
  'story.flagsCleared',
  'message.flagCleared',
  'user.flagCleared',
  'post.deleted',
  'comment.deleted',
  'story.deleted',
  'message.deleted',
  'user.didGlobalBan',
  'community.userBanned',
  'community.userChanged',
  'channel.banned',
);

mutationField(
  'resolveModerationItem',
  inputOf(resolveItemInput, { kind: ModerationKind, action: ModerationAction, banFrom: BanKindEnum }),
  {
    description:
      'Decides about an item of the moderation queue, in one transaction with an entry in the audit log that contains the reason. Allowed for users who moderate the record and may do what the decision consists of. Fails with `NOT_FOUND` if the record is not in the queue, for example because another moderator was first.',
    resolve: async (_, { input }, context) => resolveItem(context, input),
    ...EVENTS,
  },
  {
    outputFields: (t) => ({
      kind: t.expose('kind', { type: ModerationKind, description: 'Kind of the resolved record.' }),
      itemId: t.exposeString('itemId', { description: 'Public id of the resolved record.' }),
    }),
  },
);

const ModerationResult = builder.objectRef<ItemResult>('ModerationResult').implement({
  description: 'What became of one item of a bulk decision.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ModerationKind, description: 'Kind of the record.' }),
    itemId: t.exposeString('itemId', { description: 'Public id of the record.' }),
    code: t.expose('code', {
      type: ErrorCode,
      nullable: true,
      description: 'Why the item was not resolved, which changed nothing; null if it was.',
    }),
    message: t.exposeString('message', { nullable: true, description: 'Error message, for people.' }),
  }),
});

mutationField(
  'resolveModerationItems',
  inputOf(resolveItemsInput, { items: ModerationItemKey, action: ModerationAction, banFrom: BanKindEnum }),
  {
    description:
      'Decides in the same way about several items of the moderation queue, as `resolveModerationItem`: one after another, each in a transaction of its own. An item that fails does not affect the others.',
    resolve: async (_, { input }, context) => ({ results: await resolveItems(context, input) }),
    ...EVENTS,
  },
  {
    outputFields: (t) => ({
      results: t.expose('results', {
        type: [ModerationResult],
        description: 'A result for each item, in their order.',
      }),
    }),
  },
);
