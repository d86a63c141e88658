import { z } from 'zod';
import { id, json, text } from '../input.ts';
import { mentionees } from '../user/lookup/mentioned-users.ts';

export const DAY_MS = 24 * 3_600_000;
/** The longest that a story is shown. */
export const MAX_STORY_MS = 7 * DAY_MS;

const MAX_ITEMS = 10;

/** Bounds of legacy-facts §6.2. Other schemes than these two could run code in a reader's page. */
const hyperlink = z.object({
  type: z.literal('hyperlink'),
  data: z.object({
    url: text({ max: 1_000 }).refine(
      (url) => /^https?:\/\//i.test(url) && URL.canParse(url),
      'no http or https address',
    ),
    customText: text({ min: 0, max: 30 }).nullish(),
  }),
});

export const createStoryInput = z.object({
  targetType: z.enum(['community', 'user']),
  targetId: id(),
  dataType: z.enum(['text', 'image', 'video']),
  data: z
    .object({
      text: text({ min: 0, max: 20_000 }).nullish(),
      fileId: id().nullish(),
      thumbnailFileId: id().nullish(),
      imageDisplayMode: z.enum(['fit', 'fill']).nullish(),
      videoFileId: z.object({ original: id().nullish() }).nullish(),
    })
    .nullish(),
  items: z
    .array(hyperlink)
    .max(MAX_ITEMS, `at most ${MAX_ITEMS}`)
    .refine((items) => items.length <= 1, 'at most one link')
    .nullish(),
  metadata: json().nullish(),
  mentionees: mentionees().nullish(),
  referenceId: id().nullish(),
  expiresAt: z.date().nullish(),
});
export type CreateStoryInput = z.input<typeof createStoryInput>;
export type NewStoryInput = z.output<typeof createStoryInput>;
