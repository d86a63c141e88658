import type { MessageRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';

const Text = builder.objectRef<MessageRecord>('TextMessageContent').implement({
  description: 'Content of a `text` message.',
  fields: (t) => ({
    text: t.string({ description: 'Text, 1 to 20,000 characters.', resolve: ({ data }) => textOf(data.text) ?? '' }),
  }),
});

const Attached = builder.objectRef<MessageRecord>('FileMessageContent').implement({
  description: 'Content of an `image`, `file`, `video` or `audio` message.',
  fields: (t) => ({
    fileId: t.string({ description: 'File id.', resolve: (message) => fileIdOf(message) ?? '' }),
    file: t.field({
      type: File,
      nullable: true,
      description: 'The file; null if it was deleted.',
      resolve: (message, _, { load }) => load.files.load(fileIdOf(message) ?? ''),
    }),
    thumbnailFileId: t.string({
      nullable: true,
      description: 'File id of the thumbnail of an image or video.',
      resolve: thumbnailIdOf,
    }),
    thumbnail: t.field({
      type: File,
      nullable: true,
      description: 'The thumbnail of an image or video.',
      resolve: (message, _, { load }) => {
        const fileId = thumbnailIdOf(message);
        return fileId === null ? null : load.files.load(fileId);
      },
    }),
    caption: t.string({ nullable: true, description: 'Caption.', resolve: ({ data }) => textOf(data.caption) }),
  }),
});

const Custom = builder.objectRef<MessageRecord>('CustomMessageContent').implement({
  description: 'Content of a `custom` message.',
  fields: (t) => ({ data: t.expose('data', { type: 'JSONObject', description: 'Data, defined by the application.' }) }),
});

export const MessageContent = builder.unionType('MessageContent', {
  description: 'Content of a message; `dataType` determines the type.',
  types: [Text, Attached, Custom],
  resolveType: (message) => typeNameOf(message) ?? 'CustomMessageContent',
});

/** The record as its content, or null if the viewer cannot see it. */
export function contentOf(message: MessageRecord): MessageRecord | null {
  return typeNameOf(message) === null ? null : message;
}

/** Options of the field `content` of a message. */
export const CONTENT = {
  type: MessageContent,
  nullable: true,
  description: 'Typed form of `data`; null for a deleted message, except for moderators.',
} as const;

function typeNameOf(message: MessageRecord): string | null {
  const { dataType, data } = message;
  if (dataType === 'text' && textOf(data.text) !== null) return 'TextMessageContent';
  if (dataType !== 'custom' && fileIdOf(message) !== null) return 'FileMessageContent';
  return Object.keys(data).length > 0 || !message.isDeleted ? 'CustomMessageContent' : null;
}

function fileIdOf({ fileId, data }: MessageRecord): string | null {
  return fileId ?? textOf(data.fileId);
}

function thumbnailIdOf({ thumbnailFileId, data }: MessageRecord): string | null {
  return thumbnailFileId ?? textOf(data.thumbnailFileId);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
