import type { Context } from '../../src/context.ts';
import { getReceiptCounts } from '../../src/domain/marker/queries/get-receipt-counts.ts';
import { listReaders, type ReadersQuery } from '../../src/domain/marker/queries/list-readers.ts';
import type { MessageRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { MarkerMembership } from '../marker/marker-membership.ts';
import { pageRequest } from '../shared/connection.ts';
import { toPeopleConnection } from '../user/people-connection.ts';
import { User } from '../user/user.ts';
import { UserConnection } from '../user/users.ts';
import { Message } from './message.ts';

type Args = Parameters<typeof pageRequest>[0] & Pick<ReadersQuery, 'memberships'>;

async function readers(message: MessageRecord, args: Args, context: Context, by: ReadersQuery['by']) {
  const { memberships } = args;
  return toPeopleConnection(await listReaders(context, message, { by, memberships, request: pageRequest(args) }));
}

const NOT_COUNTED = '0 in channels of more than 1,000 members, where receipts are not counted.';

builder.objectFields(Message, (t) => {
  const memberships = () =>
    t.arg({
      type: [MarkerMembership],
      description: 'Only users with one of these membership states; members, muted or not, by default.',
    });
  return {
    readCount: t.int({
      description: `Number of users other than the author who have read the message. ${NOT_COUNTED}`,
      resolve: async (message, _, context) => (await getReceiptCounts(context, message)).readCount,
    }),
    deliveredCount: t.int({
      description: `Number of users other than the author to whose devices the message was delivered. ${NOT_COUNTED}`,
      resolve: async (message, _, context) => (await getReceiptCounts(context, message)).deliveredCount,
    }),
    readUsers: t.connection(
      {
        type: User,
        description: 'Users who have read the message, except its author, sorted by id.',
        args: { memberships: memberships() },
        resolve: (message, args, context) => readers(message, args, context, 'readToSegment'),
      },
      UserConnection,
    ),
    deliveredUsers: t.connection(
      {
        type: User,
        description: 'Users to whose devices the message was delivered, except its author, sorted by id.',
        args: { memberships: memberships() },
        resolve: (message, args, context) => readers(message, args, context, 'deliveredToSegment'),
      },
      UserConnection,
    ),
  };
});
