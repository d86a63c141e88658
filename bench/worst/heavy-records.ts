import { postRecord } from '../../src/sample/builders/content.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import type { Collections } from '../../src/store/collections.ts';
import { communityId, NETWORK_ID, viewerId } from '../data.ts';

export const HEAVY_POSTS = 100;
const METADATA_CHARACTERS = 60_000;
const METADATA_MEMBERS = 8_000;
const TEXT_CHARACTERS = 20_000;

/** Posts as long as the interface lets them be: half with one long value as metadata, half with thousands of short ones. */
export async function writeHeavyRecords({ posts }: Collections): Promise<void> {
  const context = createSampleContext({ networkId: NETWORK_ID, now: new Date(0) });
  const long = { text: 'x'.repeat(METADATA_CHARACTERS) };
  const wide = Object.fromEntries(Array.from({ length: METADATA_MEMBERS }, (_, index) => [`k${index}`, index]));
  const records = Array.from({ length: HEAVY_POSTS }, (_, index) =>
    postRecord(context, {
      postId: `heavy-post-${index}`,
      postedUserId: viewerId(0),
      targetType: 'community',
      targetId: communityId(0),
      data: { text: '"'.repeat(TEXT_CHARACTERS) },
      metadata: index % 2 ? wide : long,
      createdAt: context.at(1_000 + index * 60),
    }),
  );
  await posts.insertMany(records);
}
