import type { Context } from '../../src/context.ts';
import type { MaybePromise } from '../../src/lib/maybe-promise.ts';
import type { CommentRecord } from '../../src/store/records/content.ts';
import type { FileRecord } from '../../src/store/records/media.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { loadAll } from '../shared/reactable.ts';

const IMAGES = 'The attached images, at most 10, without deleted ones.';

function imagesOf({ attachments }: CommentRecord, _: object, { load }: Context): MaybePromise<FileRecord[]> {
  return loadAll(
    load.files,
    attachments.map(({ fileId }) => fileId),
  );
}

const Text = builder.objectRef<CommentRecord>('TextCommentContent').implement({
  description: 'Content of a comment with text.',
  fields: (t) => ({
    text: t.string({ description: 'Text, at most 20,000 characters.', resolve: ({ data }) => String(data.text) }),
    images: t.field({ type: [File], description: IMAGES, resolve: imagesOf }),
  }),
});

const Images = builder.objectRef<CommentRecord>('ImageCommentContent').implement({
  description: 'Content of a comment of images without text.',
  fields: (t) => ({ images: t.field({ type: [File], description: IMAGES, resolve: imagesOf }) }),
});

const Custom = builder.objectRef<CommentRecord>('CustomCommentContent').implement({
  description: 'Content of another kind, of an imported comment.',
  fields: (t) => ({ data: t.expose('data', { type: 'JSONObject', description: 'Data, defined by the application.' }) }),
});

export const CommentContent = builder.unionType('CommentContent', {
  description: 'Content of a comment.',
  types: [Text, Images, Custom],
  resolveType: (comment) => typeNameOf(comment) ?? 'CustomCommentContent',
});

/** The record as its content, or null if the viewer cannot see it. */
export function contentOf(comment: CommentRecord): CommentRecord | null {
  return typeNameOf(comment) === null ? null : comment;
}

function typeNameOf({ data, attachments }: CommentRecord): string | null {
  if (typeof data.text === 'string' && data.text !== '') return 'TextCommentContent';
  if (attachments.length > 0) return 'ImageCommentContent';
  return Object.keys(data).some((name) => name !== 'text') ? 'CustomCommentContent' : null;
}
