import type { Context } from '../../src/context.ts';
import { listReaders, type ReadersQuery } from '../../src/domain/marker/queries/list-readers.ts';
import type { MessageRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { MarkerMembership } from '../marker/marker-membership.ts';
import { receiptCount } from '../marker/receipt-counts.ts';
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

builder.objectFields(Message, (t) => {
  const memberships = () =>
    t.arg({
      type: [MarkerMembership],
      description: 'Only users with one of these membership states; members, muted or not, by default.',
    });
  return {
    readCount: t.int(receiptCount('readCount')),
    deliveredCount: t.int(receiptCount('deliveredCount')),
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
