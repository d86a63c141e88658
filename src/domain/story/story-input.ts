import { z } from 'zod';
import { flagFields } from '../flag/flag-reason.ts';
import { id, json, text } from '../input.ts';
import { mentionees } from '../user/lookup/mentioned-users.ts';

export const DAY_MS = 24 * 3_600_000;
/** Maximum lifetime of a story. */
export const MAX_STORY_MS = 7 * DAY_MS;

const MAX_ITEMS = 10;

/** Bounds as in `docs/interface.md#story-record`. Schemes such as `javascript:` could run code in a reader's page. */
export const storyLink = z.object({
  url: text({ max: 1_000 })
    .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'must be an http or https URL')
    .describe('An http or https URL.'),
  customText: text({ min: 0, max: 30 }).nullish().describe('Text to show instead of the URL.'),
});
export const storyItem = z.object({
  type: z.literal('hyperlink').describe('Kind of item.'),
  data: storyLink.describe('The link.'),
});

export const storyVideo = z.object({ original: id().nullish().describe('File id of the uploaded video.') });

export const storyData = z.object({
  text: text({ min: 0, max: 20_000 }).nullish().describe('Text; required unless there is a file.'),
  fileId: id().nullish().describe('File id of the image or video: a file that the viewer uploaded.'),
  thumbnailFileId: id().nullish().describe('File id of the thumbnail of a video.'),
  imageDisplayMode: z
    .enum(['fit', 'fill'])
    .nullish()
    .describe('Scaling of the image to the screen; it fits by default.'),
  videoFileId: storyVideo.nullish().describe('File of a video, in the form that REST clients send.'),
});

export const createStoryInput = z.object({
  targetType: z.enum(['community', 'user']).describe('Kind of place to publish in.'),
  targetId: id().describe('Public id of the community, or of the viewer.'),
  dataType: z.enum(['text', 'image', 'video']).describe('Kind of content.'),
  data: storyData.nullish().describe('Content.'),
  items: z
    .array(storyItem)
    .max(MAX_ITEMS, `at most ${MAX_ITEMS}`)
    .refine((items) => items.length <= 1, 'at most one link')
    .nullish()
    .describe('Overlay items; at most one of them is a link.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
  mentionees: mentionees().nullish().describe('Mentioned users.'),
  referenceId: id().nullish().describe('Id chosen by the client to recognize the story.'),
  expiresAt: z.date().nullish().describe('Expiry time, at most 7 days ahead. Default: 24 hours ahead.'),
});
export type CreateStoryInput = z.input<typeof createStoryInput>;
export type NewStoryInput = z.output<typeof createStoryInput>;

export const storyIdInput = z.object({ storyId: id().describe('Public id of the story.') });
export const flagStoryInput = storyIdInput.extend(flagFields);
export const deleteStoryInput = storyIdInput.extend({
  permanent: z
    .boolean()
    .nullish()
    .describe('Whether to erase the content; requires the permission to manage stories there. Default: false.'),
});
