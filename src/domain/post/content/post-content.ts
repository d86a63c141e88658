import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { PostData, PostRecord } from '../../../store/records/content.ts';
import type { FileRecord } from '../../../store/records/media.ts';
import { usableFiles } from '../../file/usable-files.ts';
import { type AttachmentInput, hashtagsOf, type LinkedType, type NewPostInput } from '../post-input.ts';

/** What a child post shows. */
export interface ChildContent {
  dataType: string;
  data: PostData;
}

export interface PostContent extends ChildContent {
  structureType: PostRecord['structureType'];
  hashtags: string[];
  children: ChildContent[];
}

/**
 * What a new post shows: its own record holds title and text, and each file, poll, stream or room is a child post.
 * @throws {OperationError} INVALID_PARAMETERS for a post that shows nothing; NOT_FOUND for a file, poll, stream or room
 *   that is absent or belongs to somebody else
 */
export async function contentOf(context: Context, given: NewPostInput): Promise<PostContent> {
  const dataType = given.dataType ?? 'text';
  const { title, text, ...named } = given.data ?? {};
  const data: PostData = { ...(title && { title }), ...(text && { text }) };
  const isOfFiles = ['image', 'file', 'video', 'audio'].includes(dataType);
  const attachments = [...(given.attachments ?? [])];
  const fileId = dataType === 'video' ? (named.videoFileId?.original ?? named.fileId) : named.fileId;
  if (isOfFiles && fileId) {
    const type = dataType as AttachmentInput['type'];
    attachments.push({ type, fileId, thumbnailFileId: named.thumbnailFileId });
  }
  if (isOfFiles && attachments.length === 0) throw missing('data.fileId', `a post of ${dataType} needs a file`);
  const children = await attachmentsOf(context, attachments);
  if (isLinked(dataType)) children.push(await linkedOf(context, dataType, named));
  if (dataType === 'text' && Object.keys(data).length === 0 && children.length === 0 && !given.sharedPostId)
    throw missing('data.text', 'a post needs a text, an attachment or a post that it shares');
  return {
    dataType: dataType.includes('.') ? dataType : 'text',
    data,
    structureType: structureOf(children),
    hashtags: hashtagsOf(`${title ?? ''}\n${text ?? ''}`),
    children,
  };
}

/**
 * A child post each file.
 * @param held ids of files that the post shows already
 */
export async function attachmentsOf(
  context: Context,
  attachments: readonly AttachmentInput[],
  held: readonly string[] = [],
): Promise<ChildContent[]> {
  const options = { held, path: ['attachments'] };
  const [files, stills] = await Promise.all([
    usableFiles(context, [...new Set(attachments.map(({ fileId }) => fileId))], options),
    usableFiles(
      context,
      attachments.flatMap(({ thumbnailFileId }) => thumbnailFileId ?? []),
      options,
    ),
  ]);
  if (stills.some(({ type }) => type !== 'image')) throw missing('attachments', 'the still of a video is a picture');
  const byId = new Map(files.map((file) => [file.fileId, file]));
  if (files.length < attachments.length) throw missing('attachments', 'each file once');
  return attachments.map(({ type, fileId, thumbnailFileId }) => {
    if (!holds(type, byId.get(fileId)!)) throw missing('attachments', `${fileId} holds no ${type}`);
    const still = thumbnailFileId ? { thumbnailFileId } : {};
    return { dataType: type, data: type === 'video' ? { videoFileId: { original: fileId }, ...still } : { fileId } };
  });
}

/** Any file can be offered as a file. */
function holds(type: AttachmentInput['type'], file: FileRecord): boolean {
  return type === 'file' || file.type === type || (type === 'video' && file.type === 'clip');
}

function isLinked(dataType: string): dataType is LinkedType {
  return ['poll', 'liveStream', 'room'].includes(dataType);
}

type Named = {
  pollId?: string | null | undefined;
  streamId?: string | null | undefined;
  roomId?: string | null | undefined;
};

/** A poll, stream or room is shown by whoever made it. */
async function linkedOf(context: Context, dataType: LinkedType, given: Named): Promise<ChildContent> {
  const { userId } = viewerOf(context);
  const { load } = context;
  const key = ({ poll: 'pollId', liveStream: 'streamId', room: 'roomId' } as const)[dataType];
  const id = given[key];
  if (!id) throw missing(`data.${key}`, `a post of ${dataType} needs it`);
  const maker = {
    poll: async () => load.polls.load(id).then((poll) => poll && !poll.isDeleted && poll.userId),
    liveStream: async () => load.videoStreams.load(id).then((stream) => stream && !stream.isDeleted && stream.userId),
    room: async () => load.rooms.load(id).then((room) => room && !room.isDeleted && room.createdBy),
  }[dataType];
  const madeBy = await maker();
  if (madeBy !== userId) throw notFound({ poll: 'Poll', liveStream: 'Stream', room: 'Room' }[dataType]);
  return { dataType, data: { [key]: id } };
}

/** What a post and its children show together. */
export function structureOf(children: ReadonlyArray<Pick<ChildContent, 'dataType'>>): PostRecord['structureType'] {
  const kinds = new Set(children.map(({ dataType }) => dataType));
  if (kinds.size > 1) return 'mixed';
  const [kind = 'text'] = kinds;
  return kind === 'image' || kind === 'video' || kind === 'file' || kind === 'audio' ? kind : 'text';
}

function missing(field: string, message: string): OperationError {
  return new OperationError('INVALID_PARAMETERS', { detail: [`${field}: ${message}`], path: field.split('.') });
}
