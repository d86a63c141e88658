import { z } from 'zod';
import { mentionParams, metadataParam, omitUndefined, permanentParam, tagsParam } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { id, list, text } from '../../params.ts';
import { POST } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

const textFields = { title: text({ min: 0, max: 150 }).nullish(), text: text({ min: 0, max: 20_000 }).nullish() };

const details = {
  attachments: list(
    z.object({ type: enumParam('PostAttachmentType'), fileId: id(), thumbnailFileId: id().nullish() }),
    { max: 10 },
  ).nullish(),
  tags: tagsParam,
  metadata: metadataParam,
  mentionees: mentionParams,
};

/** Clients omit `dataType` where the attachments imply it: `docs/interface.md#write-posts`. */
const newPost = z.object({
  targetType: enumParam('FeedTargetType'),
  targetId: id(),
  dataType: text({ max: 100 }).nullish(),
  data: z
    .object({
      ...textFields,
      fileId: id().nullish(),
      thumbnailFileId: id().nullish(),
      videoFileId: z.object({ original: id().nullish() }).nullish(),
      pollId: id().nullish(),
      streamId: id().nullish(),
      roomId: id().nullish(),
    })
    .nullish(),
  sharedPostId: id().nullish(),
  ...details,
});

const shared = { reference: 'write-posts', arrays: POST_ARRAYS } as const;

export const writePosts = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v4/posts',
    summary: 'Create a post.',
    params: newPost,
    document: mutation('createPost', POST),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v4/posts/:postId',
    summary: 'Update a post.',
    params: z.object({ postId: id(), data: z.object(textFields).nullish(), ...details }),
    document: mutation('updatePost', POST),
    variables: (params) => ({ input: omitUndefined(params) }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v4/posts/:postId',
    summary: 'Delete a post.',
    params: z.object({ postId: id(), permanent: permanentParam }),
    document: mutation('deletePost', POST),
    variables: ({ postId, permanent }) => ({ input: { postId, permanent: permanent ?? null } }),
  }),
];
