import { channelRecord, messageFeedRecord, messageRecord } from '../../src/sample/builders/chat.ts';
import { communityRecord } from '../../src/sample/builders/community.ts';
import { commentRecord, postRecord, storyRecord } from '../../src/sample/builders/content.ts';
import type { CollectionName, Records } from '../../src/store/collections.ts';
import { benchContext, viewerId } from '../data.ts';

/** Owns the crowd, and reads every list as an administrator. */
export const OWNER = viewerId(0);
/** A user without a role in the network, who joined, follows and blocked as many as lists search. */
export const JOINER = viewerId(1);
/** Has a profile with many posts, stories, polls and followers. */
export const AUTHOR = 'crowd-author';
export const ENDPOINT_ID = 'eeeeeeeeeeeeeeeeeeeeeeee';

/** Collections of which a network has most records: users, their memberships, communities, channels, posts, comments, messages. */
const MAIN_KINDS = 8;
/** A network has a fifth as many records of each other kind. */
const OTHERS = 5;
/** So many records match the rare tag or name, in both networks. */
const RARE = 20;
/** So many stories of a place and readers of the newest message exist in both networks: fewer than a page. */
export const LIVE = 5;
/** Every fourth record is flagged. */
const FLAGGED = 4;
export const CHILDREN = 10;
const CATEGORIES = 20;
export const DAY_MS = 86_400_000;

/** A record with the name of its collection. */
export type NamedRecord = { [Name in CollectionName]: readonly [Name, Records[Name]] }[CollectionName];

/** What the records of one network have in common. */
export type Crowd = ReturnType<typeof crowdOf>;

/**
 * One community, channel, post, comment, message and story, around which lists grow.
 * @param records number of records of the main kinds together
 */
export function crowdOf(records: number) {
  const context = benchContext();
  const start = Date.now();
  const mains = Math.ceil(records / MAIN_KINDS);
  const others = Math.ceil(mains / OTHERS);
  const gap = Math.max(1, Math.floor(mains / RARE));
  const isRare = (index: number) => index % gap === 0;
  /** Before all stories that have not expired. */
  const timeOf = (index: number) => new Date(start - 8 * DAY_MS - (mains - index) * 1_000);
  const nameOf = (index: number) => (isRare(index) ? `Quokka ${index}` : `Person ${index}`);
  const placeOf = (index: number) => ({ communityId: `crowd-${index}`, channelId: `crowd-channel-${index}` });

  const createdAt = timeOf(0);
  const target = { targetType: 'community', targetId: 'crowd' } as const;
  const counts = { flagCount: others, reactionsCount: others, reactions: { like: others }, commentsCount: mains };
  const text = 'Crowd';
  const community = communityRecord(context, {
    ...{ communityId: 'crowd', channelId: 'crowd', userId: OWNER, displayName: text, membersCount: mains, createdAt },
    categoryIds: Array.from({ length: Math.min(CATEGORIES, others) }, (_, index) => `crowd-category-${index}`),
  });
  const channel = channelRecord(context, {
    ...{ channelId: 'crowd', displayName: text, type: 'community', memberCount: mains, createdAt },
  });
  const lastSegment = mains + others + 2;
  const feed = messageFeedRecord(context, { channel, key: 'talk', userId: OWNER, isDefault: true, lastSegment });
  const post = postRecord(context, {
    ...{ ...target, ...counts, postId: 'crowded', postedUserId: OWNER, data: { text }, createdAt },
    childrenNumber: CHILDREN,
    children: Array.from({ length: CHILDREN }, (_, index) => `crowded-${index}`),
  });
  const live = { createdAt: new Date(start), expiresAt: new Date(start + DAY_MS) };
  const story = storyRecord(context, {
    ...{ ...target, ...counts, ...live, storyId: 'crowd-story', userId: OWNER, dataType: 'text', data: { text } },
  });
  const comment = {
    ...commentRecord(context, { commentId: 'crowd-comment', userId: OWNER, on: post, createdAt, text }),
    ...{ segmentNumber: 1, childrenNumber: others, reactionsCount: others, reactions: { like: others } },
  };
  const message = messageRecord(context, {
    ...{ feed, name: 'crowd', userId: OWNER, createdAt, text, segment: 1 },
    ...{ childCount: others, reactionCount: others, reactions: { like: others } },
  });
  const newestMessage = messageRecord(context, {
    ...{ feed, name: 'crowd-newest', userId: OWNER, createdAt: timeOf(mains), text, segment: lastSegment },
  });
  return {
    ...{ context, start, mains, others, target, live, lastSegment },
    ...{ community, channel, feed, post, story, comment, message, newestMessage },
    ...{ timeOf, nameOf, placeOf },
    tagsOf: (index: number) => (isRare(index) ? ['rare'] : ['frequent']),
    flagsOf: (index: number) => ({ flagCount: index % FLAGGED === 0 ? 1 : 0 }),
    postOf: (index: number) => `crowd-post-${index}`,
    /** The newest few have not expired, all others have. */
    storyTimeOf: (index: number) =>
      index >= others - LIVE
        ? { createdAt: new Date(start - (others - index) * 1_000), expiresAt: live.expiresAt }
        : { createdAt: timeOf(index), expiresAt: new Date(timeOf(index).getTime() + DAY_MS) },
    channelOf: (index: number) =>
      channelRecord(context, {
        ...{ channelId: `crowd-channel-${index}`, type: 'standard', displayName: nameOf(index) },
        ...{ tags: isRare(index) ? ['rare'] : ['frequent'], createdAt: timeOf(index) },
      }),
  };
}
