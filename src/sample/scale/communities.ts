import type { CategoryRecord, CommunityRecord } from '../../store/records/community.ts';
import { channelRecord } from '../builders/chat.ts';
import { categoryRecord, communityRecord, communityUserRecord } from '../builders/community.ts';
import type { SampleContext } from '../context.ts';
import { COMMUNITY_MODERATOR, deriveMembers } from '../derive/members.ts';
import { writeChannel } from './channels.ts';
import { type Group, groupOf, type Plan, padded, person, userIdOf } from './plan.ts';
import { generateThread } from './posts.ts';
import { createRandom } from './random.ts';
import { placeName, sentence } from './words.ts';
import type { Writer } from './writer.ts';

const CATEGORIES = 10;
/** Every tenth community is private. */
const PRIVATE_EVERY = 10;

export function generateCategories(context: SampleContext): CategoryRecord[] {
  return Array.from({ length: CATEGORIES }, (_, index) =>
    categoryRecord(context, { categoryId: categoryIdOf(index), name: `Category ${index + 1}` }),
  );
}

export function categoryIdOf(index: number): string {
  return `category-${padded(index % CATEGORIES)}`;
}

/** Writes all communities with their members, posts and channels. */
export async function writeCommunities(plan: Plan, writer: Writer): Promise<void> {
  let post = 0;
  for (let index = 0; index < plan.communities; index++) {
    const people = groupOf(plan, { name: `community/${index}`, count: plan.communityMembers[index]! });
    const community = generateCommunity(plan, { index, people });
    for (let number = 0; number < plan.communityPosts[index]!; number++) {
      const thread = generateThread({ plan, index: post++, target: { community }, people });
      await writer.add('posts', thread.posts);
      await writer.add('comments', thread.comments);
      await writer.add('reactions', thread.reactions);
      await writer.add('flags', thread.flags);
    }
    await writeMembers({ plan, community, people }, writer);
    await writer.add('communities', [community]);
    const channel = channelRecord(plan.context, {
      channelId: community.channelId,
      displayName: community.displayName,
      type: 'community',
      communityId: community.communityId,
      isPublic: community.isPublic,
      createdAt: community.createdAt,
    });
    await writeChannel({ plan, channel, people, messages: plan.messages[index * 4]!, isModerated: true }, writer);
  }
}

function generateCommunity(plan: Plan, { index, people }: { index: number; people: Group }): CommunityRecord {
  const random = createRandom(`community/${index}`);
  const communityId = `community-${padded(index)}`;
  const creator = userIdOf(people.at(0));
  return communityRecord(plan.context, {
    communityId,
    channelId: `${communityId}-chat`,
    displayName: placeName(index),
    description: sentence(random),
    userId: creator,
    avatarFileId: `avatar-${creator}`,
    isPublic: index % PRIVATE_EVERY !== PRIVATE_EVERY - 1,
    categoryIds: [categoryIdOf(index)],
    tags: ['garden'],
    createdAt: plan.context.at(1_000 + index / 10),
  });
}

async function writeMembers(
  { plan, community, people }: { plan: Plan; community: CommunityRecord; people: Group },
  writer: Writer,
): Promise<void> {
  for (let number = 0; number < people.count; number++) {
    const member = communityUserRecord(plan.context, {
      community,
      user: person(people.at(number)),
      roles: number === 0 ? ['member', COMMUNITY_MODERATOR] : ['member'],
      createdAt: new Date(community.createdAt.getTime() + number * 1_000),
    });
    deriveMembers({ communities: [community], communityUsers: [member] });
    await writer.add('communityUsers', [member]);
  }
}
