import { z } from 'zod';
import { mentionParams, metadataParam, permanentParam } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { id, list, text } from '../../params.ts';
import { route } from '../../route.ts';
import { STORY_ARRAYS } from '../../side-arrays.ts';

const STORY = 'stories: story { ...StoryInFull }';

const shared = { reference: 'write-stories', arrays: STORY_ARRAYS } as const;

const item = z.object({
  type: enumParam('StoryItemType'),
  data: z.object({ url: text({ max: 1_000 }), customText: text({ min: 0, max: 30 }).nullish() }),
});

export const writeStories = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v4/stories',
    summary: 'Create a story.',
    params: z.object({
      targetType: enumParam('StoryTargetType'),
      targetId: id(),
      dataType: enumParam('StoryDataType'),
      data: z
        .object({
          text: text({ min: 0, max: 20_000 }).nullish(),
          fileId: id().nullish(),
          thumbnailFileId: id().nullish(),
          imageDisplayMode: enumParam('ImageDisplayMode').nullish(),
          videoFileId: z.object({ original: id().nullish() }).nullish(),
        })
        .nullish(),
      items: list(item, { max: 10 }).nullish(),
      metadata: metadataParam,
      mentionedUsers: mentionParams,
      referenceId: id().nullish(),
      expiresAt: z.iso.datetime().nullish(),
    }),
    document: mutation('createStory', STORY),
    variables: ({ mentionedUsers, ...params }) => ({ input: { ...params, mentionees: mentionedUsers ?? null } }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v4/stories/:storyId',
    summary: 'Delete a story.',
    params: z.object({ storyId: id(), permanent: permanentParam }),
    document: mutation('deleteStory', STORY),
    variables: ({ storyId, permanent }) => ({ input: { storyId, permanent: permanent ?? null } }),
  }),
];
