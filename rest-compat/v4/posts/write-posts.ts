import { z } from 'zod';
import { givenParams, mentionParams, metadataParam, permanentParam, tagsParam } from '../../content-params.ts';
import { enumParam } from '../../enum-param.ts';
import {
  CreateRestPostDocument,
  DeleteRestPostDocument,
  type FeedTargetType,
  type PostAttachmentType,
  UpdateRestPostDocument,
} from '../../generated/documents.ts';
import { id, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { POST_ARRAYS } from '../../v3/posts/get-post.ts';

const said = { title: text({ min: 0, max: 150 }).nullish(), text: text({ min: 0, max: 20_000 }).nullish() };

const attachments = list(
  z.object({
    type: enumParam<PostAttachmentType>('PostAttachmentType'),
    fileId: id(),
    thumbnailFileId: id().nullish(),
  }),
  { max: 10 },
).nullish();

const shared = { attachments, tags: tagsParam, metadata: metadataParam, mentionees: mentionParams };

/** Published clients leave `dataType` out for what the attachments tell (legacy-facts §7). */
const newPost = z.object({
  targetType: enumParam<FeedTargetType>('FeedTargetType'),
  targetId: id(),
  dataType: text({ max: 100 }).nullish(),
  data: z
    .object({
      ...said,
      fileId: id().nullish(),
      thumbnailFileId: id().nullish(),
      videoFileId: z.object({ original: id().nullish() }).nullish(),
      pollId: id().nullish(),
      streamId: id().nullish(),
      roomId: id().nullish(),
    })
    .nullish(),
  sharedPostId: id().nullish(),
  ...shared,
});

const section = 'legacy-facts §7';

export const writePosts: Route[] = [
  route({
    method: 'POST',
    path: '/api/v4/posts',
    section,
    summary: 'Create a post.',
    params: newPost,
    document: CreateRestPostDocument,
    variables: (params) => ({ input: params }),
    arrays: POST_ARRAYS,
  }),
  route({
    method: 'PUT',
    path: '/api/v4/posts/:postId',
    section,
    summary: 'Change a post.',
    params: z.object({ postId: id(), data: z.object(said).nullish(), ...shared }),
    document: UpdateRestPostDocument,
    variables: (params) => ({ input: givenParams(params) }),
    arrays: POST_ARRAYS,
  }),
  route({
    method: 'DELETE',
    path: '/api/v4/posts/:postId',
    section,
    summary: 'Delete a post.',
    params: z.object({ postId: id(), permanent: permanentParam }),
    document: DeleteRestPostDocument,
    variables: ({ postId, permanent }) => ({ input: { postId, permanent: permanent ?? null } }),
    arrays: POST_ARRAYS,
  }),
];
