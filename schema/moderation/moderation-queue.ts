import { getQueueItem, listQueue, type QueueSort, queueInput } from '../../src/domain/moderation/queue/list-queue.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { inputType } from '../shared/input-fields.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { ModerationItem, ModerationKind, ModerationState } from './moderation-item.ts';

const ModerationQueueFilter = inputType(
  'ModerationQueueFilter',
  'Which records of the moderation queue to list; all by default.',
  { schema: queueInput, types: { kinds: ModerationKind, state: ModerationState } },
);

const ModerationQueueSort = restEnum<QueueSort>('ModerationQueueSort', 'Order of the moderation queue.', {
  lastCreated: 'By the creation of the records, newest first. Default.',
  firstCreated: 'By the creation of the records, oldest first.',
});

builder.queryFields((t) => ({
  moderationQueue: t.connection(
    {
      type: ModerationItem,
      description:
        'Records that are flagged or await review, of the kinds and places that the viewer moderates: everywhere by a role in the network, else in up to 200 communities and 200 channels. Empty for users who moderate none.',
      args: {
        filter: t.arg({ type: ModerationQueueFilter, description: 'Which records to list.' }),
        sortBy: t.arg({ type: ModerationQueueSort, description: 'Order of the records.' }),
      },
      resolve: async (_, { filter, sortBy, ...args }, context) =>
        toConnection(await listQueue(context, filter ?? {}, { sortBy, request: pageRequest(args) })),
    },
    connectionType(ModerationItem, 'items of the moderation queue'),
  ),
  moderationItem: t.field({
    type: ModerationItem,
    nullable: true,
    description:
      'An item of the moderation queue; null if the record is not flagged and does not await review, or the viewer does not moderate it.',
    args: {
      kind: t.arg({ type: ModerationKind, required: true, description: 'Kind of the record.' }),
      itemId: t.arg.string({ required: true, description: 'Public id of the record.' }),
    },
    resolve: (_, args, context) => getQueueItem(context, args),
  }),
}));
