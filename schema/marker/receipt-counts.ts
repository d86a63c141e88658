import type { Context } from '../../src/context.ts';
import { getReceiptCounts, MAX_COUNTED_MEMBERS } from '../../src/domain/marker/queries/get-receipt-counts.ts';
import type { MessageRecord } from '../../src/store/records/chat.ts';
import type { ReceiptCounts } from '../../src/store/segments.ts';

const USERS: { readonly [Name in keyof ReceiptCounts]: string } = {
  readCount: 'who have read the message',
  deliveredCount: 'to whose devices the message was delivered',
};

/** Options of a field with one of the receipt counts of a message. */
export const receiptCount = (name: keyof ReceiptCounts) => ({
  description: `Number of users other than the author ${USERS[name]}, former members included. 0 in channels of more than ${MAX_COUNTED_MEMBERS.toLocaleString('en')} members, where receipts are not counted.`,
  resolve: async (message: MessageRecord, _: object, context: Context) =>
    (await getReceiptCounts(context, message))[name],
});
