import type { StoryRecord, StorySeenRecord } from '../../store/records/content.ts';
import { baseRecord } from '../builders/base.ts';
import { mentionOf, storyRecord } from '../builders/content.ts';
import { type SampleContext, YEAR } from '../context.ts';
import { latest } from '../derive/content.ts';

const DAY = 24 * 60;

/**
 * Stories that stay live for a year after the build, so that a network filled last month still has some, and an expired
 * and a deleted one.
 */
export function sampleStories(context: SampleContext): StoryRecord[] {
  const gardeners = { targetType: 'community', targetId: 'gardeners' } as const;
  return [
    storyRecord(context, {
      ...gardeners,
      storyId: 'last-autumn',
      userId: 'alice',
      dataType: 'text',
      data: { text: 'The leaves are down.' },
      createdAt: context.at(-90 * DAY),
      expiresAt: context.at(-89 * DAY),
    }),
    storyRecord(context, {
      ...gardeners,
      storyId: 'morning-dew',
      userId: 'alice',
      dataType: 'image',
      data: { text: 'Six in the morning', fileId: 'morning-dew', imageDisplayMode: 'fit' },
      items: [{ type: 'hyperlink', data: { url: 'https://example.com/dew', customText: 'What dew is' } }],
      metadata: { weather: 'clear' },
      mentionedUsers: [mentionOf(context, 'carol')],
      referenceId: 'LOCAL_5a0d6b43-0000-4000-8000-000000000001',
      impression: 64,
      reach: 12,
      createdAt: context.at(220),
      expiresAt: context.fromNow(YEAR),
    }),
    storyRecord(context, {
      ...gardeners,
      storyId: 'first-shoots',
      userId: 'bob',
      dataType: 'video',
      data: {
        thumbnailFileId: 'shoots-thumbnail',
        videoFileId: {
          original: 'shoots-original',
          low: 'shoots-low',
          medium: 'shoots-medium',
          high: 'shoots-high',
        },
      },
      createdAt: context.at(230),
      expiresAt: context.fromNow(YEAR + 60),
    }),
    storyRecord(context, {
      ...gardeners,
      storyId: 'thumb-on-the-lens',
      userId: 'carol',
      dataType: 'text',
      data: { text: 'Never mind.' },
      isDeleted: true,
      createdAt: context.at(235),
      updatedAt: context.at(236),
      expiresAt: context.fromNow(YEAR + 120),
    }),
    storyRecord(context, {
      targetType: 'community',
      targetId: 'orchard-keepers',
      storyId: 'first-blossom',
      userId: 'frank',
      dataType: 'image',
      data: { fileId: 'blossom-picture', imageDisplayMode: 'fill' },
      createdAt: context.at(240),
      expiresAt: context.fromNow(YEAR),
    }),
    storyRecord(context, {
      targetType: 'community',
      targetId: 'harvest-fair',
      storyId: 'save-the-date',
      userId: 'admin',
      dataType: 'text',
      data: { text: 'First weekend of October!' },
      createdAt: context.at(250),
      expiresAt: context.fromNow(YEAR),
    }),
    storyRecord(context, {
      targetType: 'user',
      targetId: 'erin',
      storyId: 'window-box',
      userId: 'erin',
      dataType: 'text',
      data: { text: 'I bought a window box.' },
      createdAt: context.at(260),
      expiresAt: context.fromNow(YEAR),
    }),
  ];
}

/** Bob has seen some of the gardeners' stories; Carol has seen all of them, and those of the orchard. */
const SEEN: Array<[userId: string, targetId: string, storyIds: string[]]> = [
  ['bob', 'gardeners', ['morning-dew']],
  ['carol', 'gardeners', ['morning-dew', 'first-shoots']],
  ['carol', 'orchard-keepers', ['first-blossom']],
];

export function sampleStorySeens(context: SampleContext, stories: StoryRecord[]): StorySeenRecord[] {
  return SEEN.map(([userId, targetId, storyIds]) => {
    const seen = stories.filter((story) => storyIds.includes(story.storyId));
    const name = `${userId}/community/${targetId}`;
    return {
      ...baseRecord(context, { kind: 'storySeen', name }, { createdAt: context.at(270) }),
      userId,
      targetType: 'community',
      targetId,
      storyIds,
      lastStorySeenExpiresAt: seen.map((story) => story.expiresAt).reduce(latest),
    };
  });
}
