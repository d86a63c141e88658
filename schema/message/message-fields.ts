import type { MESSAGE_DATA_TYPES } from '../../src/domain/message/message-input.ts';
import { builder } from '../builder.ts';
import { MentionType } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

export const MessageDataType = restEnum<(typeof MESSAGE_DATA_TYPES)[number]>(
  'MessageDataType',
  'Kind of content of a message; determines the shape of `data`.',
  {
    text: 'Text: `{text}`. Default.',
    image: 'Image file with an optional caption: `{fileId, caption}`.',
    file: 'File for download with an optional caption: `{fileId, caption}`.',
    video: 'Video file with an optional caption: `{fileId, caption}`.',
    audio: 'Audio file with an optional caption: `{fileId, caption}`.',
    custom: 'Any JSON object, defined by the application.',
  },
);

const MessageMention = builder.inputType('MessageMentionInput', {
  description: 'Whom a message mentions.',
  fields: (t) => ({
    type: t.field({ type: MentionType, required: true, description: 'Users, or everybody in the channel.' }),
    userIds: t.stringList({ description: 'Public ids of the users; at most 30 in one message.' }),
  }),
});

/** What a message says, when it is sent and when it is edited. */
export const messageFields = (t: InputFields) => ({
  data: t.field({
    type: 'JSONObject',
    description:
      'The content: `{text}` of 1 to 20,000 characters for text; `{fileId, caption}` for a picture, file, video or audio; anything for custom.',
  }),
  fileId: t.string({ description: 'File id of the picture, file, video or audio; the same as in `data`.' }),
  thumbnailFileId: t.string({ description: 'File id of the still of a picture or video.' }),
  tags: t.stringList({ description: 'Tags, at most 20 of 1 to 100 characters.' }),
  metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, at most 64 KiB.' }),
  mentionedUsers: t.field({ type: [MessageMention], description: 'Who is mentioned, at most 30 users.' }),
});
