import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  DeleteRestMessageDocument,
  IsMessageFlaggedDocument,
  type MentionType,
  type MessageDataType,
  SendRestMessageDocument,
  UnflagRestMessageDocument,
  UpdateRestMessageDocument,
} from '../../generated/documents.ts';
import { id, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const arrays = ['messages', 'messageFeeds', 'users', 'files', 'reactions'];
const messageId = id(150);
const object = () => z.record(z.string(), z.unknown());

const content = {
  data: object().nullish(),
  fileId: id().nullish(),
  thumbnailFileId: id().nullish(),
  tags: list(text({ max: 100 }), { max: 20 }).nullish(),
  metadata: object().nullish(),
  mentionedUsers: z
    .array(z.object({ type: enumParam<MentionType>('MentionType'), userIds: list(id(50), { max: 30 }).nullish() }))
    .max(30)
    .nullish(),
};
const one = { section: 'legacy-facts §7', params: z.object({ messageId }), arrays } as const;
const variables = (input: { messageId: string }) => ({ input });

/** Sends, edits and deletes messages, and takes flags back (legacy-facts §7). */
export const writeMessages: Route[] = [
  route({
    method: 'POST',
    path: '/api/v5/messages',
    section: 'legacy-facts §7',
    summary: 'Send a message to a message feed, or to the first feed of a channel.',
    params: z.object({
      messageFeedId: id(30).nullish(),
      channelId: id().nullish(),
      dataType: enumParam<MessageDataType>('MessageDataType').nullish(),
      ...content,
      parentId: messageId.nullish(),
      referenceId: id(150).nullish(),
    }),
    document: SendRestMessageDocument,
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    method: 'PUT',
    path: '/api/v5/messages/:messageId',
    section: 'legacy-facts §7',
    summary: 'Edit a message.',
    params: z.object({ messageId, ...content }),
    document: UpdateRestMessageDocument,
    variables: (input) => ({ input }),
    arrays,
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/api/v5/messages/:messageId',
    summary: 'Delete a message.',
    document: DeleteRestMessageDocument,
    variables,
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/api/v5/messages/:messageId/flags',
    summary: "Take the caller's flag on a message back.",
    document: UnflagRestMessageDocument,
    variables,
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/v5/messages/:messageId/flags',
    summary: 'Whether the caller flagged a message.',
    document: IsMessageFlaggedDocument,
    variables: (params) => params,
    arrays: [],
  }),
];
