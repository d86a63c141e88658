import {
  getQueueItem,
  listQueue,
  type QueuePage,
  type QueueSort,
  queueInput,
} from '../../src/domain/moderation/queue/list-queue.ts';
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

const ModerationItemConnection = connectionType(ModerationItem, 'items of the moderation queue');

builder.objectField(ModerationItemConnection, 'omitsPlaces', (t) =>
  t.boolean({
    description:
      'Whether the viewer moderates more than the 200 communities or 200 channels that the list covers: others are listed if the filter names one.',
    resolve: (connection) => (connection as unknown as Pick<QueuePage, 'omitsPlaces'>).omitsPlaces,
  }),
);

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
      resolve: async (_, { filter, sortBy, ...args }, context) => {
        const page = await listQueue(context, filter ?? {}, { sortBy, request: pageRequest(args) });
        return { ...toConnection(page), omitsPlaces: page.omitsPlaces };
      },
    },
    ModerationItemConnection,
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
