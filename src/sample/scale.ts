import type { Collections } from '../store/collections.ts';
import { channelRecord } from './builders/chat.ts';
import { defaultRoleRecords } from './builders/user.ts';
import { createSampleContext } from './context.ts';
import { insertMissingRoles } from './insert.ts';
import { writeChannel } from './scale/channels.ts';
import { categoryIdOf, generateCategories, writeCommunities } from './scale/communities.ts';
import { createPlan, groupOf, momentOf, type Plan, padded } from './scale/plan.ts';
import { createRandom } from './scale/random.ts';
import { writeUsers } from './scale/users.ts';
import { placeName } from './scale/words.ts';
import { createWriter, type Writer } from './scale/writer.ts';

export interface ScaleOptions {
  collections: Collections;
  networkId: string;
  /** Thousands of users; 1 to 1,000. */
  scale: number;
  /** Called with the number of records written so far. */
  onProgress?: (written: number) => void;
}

/** The network already contains generated records. A second run would make their counters wrong. */
export class AlreadyFilledError extends Error {}

/**
 * Adds `scale` × 1,000 generated users and their activity to a network. Activity follows a Zipf distribution: a few
 * communities, channels, posts and users get most of it. The same scale always generates the same records with the same
 * ids and correct counters. Memory is bounded: records are written in batches, with a few numbers kept per user.
 *
 * @returns the number of written records
 * @throws {AlreadyFilledError} when an earlier run, finished or not, filled this network
 * @throws {RangeError} unless `scale` is an integer from 1 to 1,000
 */
export async function fillNetwork(options: ScaleOptions): Promise<number> {
  const { collections, networkId, scale, onProgress } = options;
  if (!Number.isInteger(scale) || scale < 1 || scale > 1_000)
    throw new RangeError('scale must be a whole number, 1 to 1000');
  const context = createSampleContext({ networkId, now: new Date(0) });
  // Categories are written first, so an existing one shows that a run has started.
  if (await collections.categories.findOne({ networkId, categoryId: categoryIdOf(0) })) {
    throw new AlreadyFilledError(
      `Network ${networkId} already contains generated records; use an empty network or store`,
    );
  }
  let written = 0;
  const writer = createWriter({
    collections,
    onProgress: (count) => {
      written = count;
      onProgress?.(count);
    },
  });
  await insertMissingRoles(collections, defaultRoleRecords(context));
  await writer.add('categories', generateCategories(context));
  await writer.flush();
  const plan = createPlan(context, scale);
  await writeCommunities(plan, writer);
  await writeOtherChannels(plan, writer);
  await writeUsers(plan, writer);
  await writer.flush();
  return written;
}

/** Writes three channels for each community channel: two conversations and one that anybody can join. */
async function writeOtherChannels(plan: Plan, writer: Writer): Promise<void> {
  for (let rank = 0; rank < plan.channels; rank++) {
    if (rank % 4 === 0) continue;
    const isConversation = rank % 4 !== 1;
    const random = createRandom(`members/${rank}`);
    const count = isConversation ? 2 : Math.min(plan.users, 3 + Math.floor(2_000 / (rank + 20)) + random.below(10));
    const channel = channelRecord(plan.context, {
      channelId: `channel-${padded(rank)}`,
      displayName: isConversation ? 'A conversation' : placeName(rank),
      type: isConversation ? 'conversation' : 'standard',
      createdAt: plan.context.at(momentOf(rank, plan.channels)),
    });
    const people = groupOf(plan, { name: channel.channelId, count });
    const isModerated = !isConversation;
    await writeChannel({ plan, channel, people, messages: plan.messages[rank]!, isModerated }, writer);
  }
}
