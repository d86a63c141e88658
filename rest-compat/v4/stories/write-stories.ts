import { z } from 'zod';
import { mentionParams, metadataParam, permanentParam } from '../../content-params.ts';
import { enumParam } from '../../enum-param.ts';
import {
  CreateRestStoryDocument,
  DeleteRestStoryDocument,
  type ImageDisplayMode,
  type StoryDataType,
  type StoryItemType,
  type StoryTargetType,
} from '../../generated/documents.ts';
import { id, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const shared = {
  section: 'legacy-facts §7',
  arrays: ['stories', 'comments', 'files', 'users', 'communities', 'communityUsers', 'categories'],
} as const;

const item = z.object({
  type: enumParam<StoryItemType>('StoryItemType'),
  data: z.object({ url: text({ max: 1_000 }), customText: text({ min: 0, max: 30 }).nullish() }),
});

export const writeStories: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v4/stories',
    summary: 'Create a story.',
    params: z.object({
      targetType: enumParam<StoryTargetType>('StoryTargetType'),
      targetId: id(),
      dataType: enumParam<StoryDataType>('StoryDataType'),
      data: z
        .object({
          text: text({ min: 0, max: 20_000 }).nullish(),
          fileId: id().nullish(),
          thumbnailFileId: id().nullish(),
          imageDisplayMode: enumParam<ImageDisplayMode>('ImageDisplayMode').nullish(),
          videoFileId: z.object({ original: id().nullish() }).nullish(),
        })
        .nullish(),
      items: list(item, { max: 10 }).nullish(),
      metadata: metadataParam,
      mentionedUsers: mentionParams,
      referenceId: id().nullish(),
      expiresAt: z.iso.datetime().nullish(),
    }),
    document: CreateRestStoryDocument,
    variables: ({ mentionedUsers, ...params }) => ({ input: { ...params, mentionees: mentionedUsers ?? null } }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v4/stories/:storyId',
    summary: 'Delete a story.',
    params: z.object({ storyId: id(), permanent: permanentParam }),
    document: DeleteRestStoryDocument,
    variables: ({ storyId, permanent }) => ({ input: { storyId, permanent: permanent ?? null } }),
  }),
];
