import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { whenLoaded } from '../../../lib/maybe-promise.ts';
import type { PostData, PostRecord } from '../../../store/records/content.ts';
import type { FileRecord } from '../../../store/records/media.ts';
import { usableFiles } from '../../file/usable-files.ts';
import {
  ATTACHMENT_TYPES,
  type AttachmentInput,
  hashtagsOf,
  type LinkedType,
  type NewPostInput,
  withText,
} from '../post-input.ts';

/** The content of a child post. */
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
 * The content of a new post. Its own record contains title and text; each file, poll, stream or room is a child post.
 * @throws {OperationError} INVALID_PARAMETERS for a post without content; NOT_FOUND for a file, poll, stream or room
 *   that does not exist or belongs to another user
 */
export async function contentOf(context: Context, given: NewPostInput): Promise<PostContent> {
  const dataType = given.dataType ?? 'text';
  const named = given.data ?? {};
  const data = withText({}, named);
  const isOfFiles = isAttachmentType(dataType);
  const attachments = [...(given.attachments ?? [])];
  const fileId = dataType === 'video' ? (named.videoFileId?.original ?? named.fileId) : named.fileId;
  if (isOfFiles && fileId) {
    const { thumbnailFileId, displayMode, isMuted } = named;
    attachments.push({ type: dataType, fileId, thumbnailFileId, displayMode, isMuted });
  }
  if (isOfFiles && attachments.length === 0) throw invalid('data.fileId', `required for a post of type ${dataType}`);
  const children = await attachmentsOf(context, attachments);
  if (isLinked(dataType)) children.push(await linkedOf(context, dataType, named));
  if (dataType === 'text' && Object.keys(data).length === 0 && children.length === 0 && !given.sharedPostId)
    throw invalid('data.text', 'required unless there is an attachment or a shared post');
  return {
    dataType: dataType.includes('.') ? dataType : 'text',
    data,
    structureType: structureOf(children),
    hashtags: hashtagsOf(`${data.title ?? ''}\n${data.text ?? ''}`),
    children,
  };
}

/**
 * The contents of child posts, one per attachment.
 * @param held ids of files that the post already contains
 */
export async function attachmentsOf(
  context: Context,
  attachments: readonly AttachmentInput[],
  held: readonly string[] = [],
): Promise<ChildContent[]> {
  const options = { held, path: ['attachments'] };
  const [files, thumbnails] = await Promise.all([
    usableFiles(context, [...new Set(attachments.map(({ fileId }) => fileId))], options),
    usableFiles(
      context,
      attachments.flatMap(({ thumbnailFileId }) => thumbnailFileId ?? []),
      options,
    ),
  ]);
  if (thumbnails.some(({ type }) => type !== 'image'))
    throw invalid('attachments', 'the thumbnail of a video or clip must be an image');
  const byId = new Map(files.map((file) => [file.fileId, file]));
  if (files.length < attachments.length) throw invalid('attachments', 'must not repeat a file');
  return attachments.map((attachment) => {
    const { type, fileId } = attachment;
    if (!holds(type, byId.get(fileId)!)) throw invalid('attachments', `${fileId} is not a file of type ${type}`);
    return { dataType: type, data: dataOf(attachment) };
  });
}

function dataOf({ type, fileId, thumbnailFileId, displayMode, isMuted }: AttachmentInput): PostData {
  const thumbnail = thumbnailFileId ? { thumbnailFileId } : {};
  if (type === 'video') return { videoFileId: { original: fileId }, ...thumbnail };
  if (type !== 'clip') return { fileId };
  return { fileId, ...thumbnail, displayMode: displayMode ?? 'fill', isMuted: isMuted ?? false };
}

/** Whether a file fits an attachment type; every file fits `file`, and clips and videos fit each other. */
function holds(type: AttachmentInput['type'], file: FileRecord): boolean {
  const isVideo = (kind: string) => kind === 'video' || kind === 'clip';
  return type === 'file' || file.type === type || (isVideo(type) && isVideo(file.type));
}

function isAttachmentType(dataType: string): dataType is AttachmentInput['type'] {
  return (ATTACHMENT_TYPES as readonly string[]).includes(dataType);
}

function isLinked(dataType: string): dataType is LinkedType {
  return ['poll', 'liveStream', 'room'].includes(dataType);
}

type Named = {
  pollId?: string | null | undefined;
  streamId?: string | null | undefined;
  roomId?: string | null | undefined;
};

/** The content for a poll, stream or room, which only its creator can post. */
async function linkedOf(context: Context, dataType: LinkedType, given: Named): Promise<ChildContent> {
  const { userId } = viewerOf(context);
  const { load } = context;
  const key = ({ poll: 'pollId', liveStream: 'streamId', room: 'roomId' } as const)[dataType];
  const id = given[key];
  if (!id) throw invalid(`data.${key}`, `required for a post of type ${dataType}`);
  const creatorOf = {
    poll: () => whenLoaded(load.polls.load(id), (poll) => poll && !poll.isDeleted && poll.userId),
    liveStream: () => whenLoaded(load.videoStreams.load(id), (stream) => stream && !stream.isDeleted && stream.userId),
    room: () => whenLoaded(load.rooms.load(id), (room) => room && !room.isDeleted && room.createdBy),
  }[dataType];
  const creator = await creatorOf();
  if (creator !== userId) throw notFound({ poll: 'Poll', liveStream: 'Stream', room: 'Room' }[dataType]);
  return { dataType, data: { [key]: id } };
}

/** The structure type of a post, from the types of its children. */
export function structureOf(children: ReadonlyArray<Pick<ChildContent, 'dataType'>>): PostRecord['structureType'] {
  const kinds = new Set(children.map(({ dataType }) => dataType));
  if (kinds.size > 1) return 'mixed';
  const [kind = 'text'] = kinds;
  return isAttachmentType(kind) ? kind : 'text';
}

function invalid(field: string, message: string): OperationError {
  return new OperationError('INVALID_PARAMETERS', { detail: [`${field}: ${message}`], path: field.split('.') });
}
