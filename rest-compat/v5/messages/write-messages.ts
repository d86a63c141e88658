import { z } from 'zod';
import { metadataParam, tagsParam } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { id, list } from '../../params.ts';
import { MESSAGE } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { MESSAGE_ARRAYS } from '../../side-arrays.ts';

const messageId = id(150);

const content = {
  data: z.record(z.string(), z.unknown()).nullish(),
  fileId: id().nullish(),
  thumbnailFileId: id().nullish(),
  tags: tagsParam,
  metadata: metadataParam,
  mentionedUsers: z
    .array(z.object({ type: enumParam('MentionType'), userIds: list(id(50), { max: 30 }).nullish() }))
    .max(30)
    .nullish(),
};

const shared = { reference: 'send-message', arrays: MESSAGE_ARRAYS } as const;

export const writeMessages = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v5/messages',
    summary: 'Send a message to a message feed, or to the first feed of a channel.',
    params: z.object({
      messageFeedId: id(30).nullish(),
      channelId: id().nullish(),
      dataType: enumParam('MessageDataType').nullish(),
      ...content,
      parentId: messageId.nullish(),
      referenceId: id(150).nullish(),
    }),
    document: mutation('sendMessage', MESSAGE),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v5/messages/:messageId',
    summary: 'Edit a message.',
    params: z.object({ messageId, ...content }),
    document: mutation('updateMessage', MESSAGE),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v5/messages/:messageId',
    summary: 'Delete a message.',
    params: z.object({ messageId }),
    document: mutation('deleteMessage', MESSAGE),
    variables: (input) => ({ input }),
  }),
];
