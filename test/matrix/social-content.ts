import { pinRecord } from '../../src/sample/builders/community.ts';
import { postRecord, storyRecord } from '../../src/sample/builders/content.ts';
import { feedRecords } from '../../src/sample/builders/user.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import type { CommunityRecord } from '../../src/store/records/community.ts';
import type { PostRecord, StoryRecord } from '../../src/store/records/content.ts';
import { PLACE_IDS } from './actors.ts';
import { createPost } from './content.ts';
import type { Fixtures } from './fixtures.ts';

const createContext = () => createSampleContext({ networkId: 'default', now: new Date() });

export async function createUserPost(fixtures: Fixtures): Promise<PostRecord> {
  const post = postRecord(createContext(), {
    postId: fixtures.uniqueId('post'),
    postedUserId: 'author',
    targetType: 'user',
    targetId: 'author',
    data: { text: 'Hello' },
  });
  await fixtures.gateway.services.store.collections.posts.insertOne(post);
  return post;
}

export function createReviewedPost(fixtures: Fixtures, communityId: string): Promise<PostRecord> {
  return createPost(fixtures, communityId, { feedType: 'reviewing' });
}

export async function createPin(
  fixtures: Fixtures,
  post: PostRecord,
  targetType: 'community' | 'network' = 'community',
) {
  const targetId = targetType === 'network' ? 'default' : post.targetId;
  const pin = pinRecord(createContext(), {
    targetType,
    targetId,
    placement: targetType === 'network' ? 'global' : 'default',
    referenceId: post.postId,
    pinnedBy: 'moderator',
    pinnedAt: new Date(),
  });
  await fixtures.gateway.services.store.collections.pins.insertOne(pin);
}

/** A community with the members of the public one and other settings. */
export async function createCommunityLike(fixtures: Fixtures, given: Partial<CommunityRecord>): Promise<string> {
  const { communities, communityUsers } = fixtures.gateway.services.store.collections;
  const communityId = fixtures.uniqueId('community');
  const like = { networkId: 'default', communityId: PLACE_IDS.community };
  const { _id, ...community } = (await communities.findOne(like))!;
  const feeds = feedRecords(createContext(), { targetType: 'community', targetId: communityId, createdAt: new Date() });
  await communities.insertOne({ ...community, communityId, feeds, ...given } as CommunityRecord);
  const members = await communityUsers.find(like).toArray();
  await communityUsers.insertMany(members.map(({ _id: _, ...member }) => ({ ...member, communityId })) as never);
  return communityId;
}

/** An active story by `author`, with its target. */
export async function createStory(
  fixtures: Fixtures,
  target: Pick<StoryRecord, 'targetType' | 'targetId'>,
  given: Partial<StoryRecord> = {},
): Promise<StoryRecord> {
  const { stories, storyTargets } = fixtures.gateway.services.store.collections;
  const now = Date.now();
  const story = storyRecord(createContext(), {
    storyId: fixtures.uniqueId('story'),
    userId: 'author',
    ...target,
    dataType: 'text',
    data: { text: 'Hello' },
    createdAt: new Date(now),
    expiresAt: new Date(now + 3_600_000),
    ...given,
  });
  await stories.insertOne(story);
  await storyTargets.updateOne(
    { networkId: 'default', ...target },
    {
      $set: { targetUpdatedAt: new Date(now), lastStoryExpiresAt: new Date(now + 3_600_000), createdAt: new Date(now) },
    },
    { upsert: true },
  );
  return story;
}
