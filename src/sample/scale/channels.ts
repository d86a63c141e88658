import type { ChannelRecord, MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import { channelUserRecord, messageFeedRecord, messageRecord } from '../builders/chat.ts';
import { mentionOf, reactionRecord } from '../builders/content.ts';
import { markersOf, type Reading } from '../derive/markers.ts';
import { deriveMembers } from '../derive/members.ts';
import { deriveMessages } from '../derive/messages.ts';
import { deriveReactions } from '../derive/reactions.ts';
import { type Group, type Plan, person, userIdOf } from './plan.ts';
import { createRandom, type Random } from './random.ts';
import { sentence } from './words.ts';
import type { Writer } from './writer.ts';

const SLICE = 1_000;

export interface ChannelPlace {
  plan: Plan;
  channel: ChannelRecord;
  people: Group;
  /** Number of messages. */
  messages: number;
  /** Whether the first member moderates it. */
  isModerated: boolean;
}

/** Writes a channel with its feed, messages, members and markers, keeping only a slice of the members in memory. */
export async function writeChannel(place: ChannelPlace, writer: Writer): Promise<void> {
  const { plan, channel, people, isModerated } = place;
  const random = createRandom(`channel/${channel.channelId}`);
  const feed = messageFeedRecord(plan.context, { channel, key: 'default', userId: userIdOf(people.at(0)) });
  const { messages, reactions } = generateMessages(place, { feed, random });
  const part = { channels: [channel], messageFeeds: [feed], messages };
  deriveMessages(part);
  await writer.add('messages', messages);
  await writer.add('reactions', reactions);
  await writer.add('messageFeeds', [feed]);
  for (let from = 0; from < people.count; from += SLICE) {
    const places = Array.from({ length: Math.min(SLICE, people.count - from) }, (_, offset) => from + offset);
    const channelUsers = places.map((number) =>
      channelUserRecord(plan.context, {
        channel,
        user: person(people.at(number)),
        roles: isModerated && number === 0 ? ['member', 'channel-moderator'] : ['member'],
      }),
    );
    const markers = markersOf(plan.context, { ...part, channelUsers }, () => readingOf(feed, random));
    deriveMembers({ channels: [channel], channelUsers });
    for (const number of places) plan.chatting[people.at(number)] = 1;
    await writer.add('channelUsers', channelUsers);
    await writer.add('userFeedMarkers', markers);
  }
  await writer.add('channels', [channel]);
}

function generateMessages(
  { plan, people, messages: count }: ChannelPlace,
  { feed, random }: { feed: MessageFeedRecord; random: Random },
): { messages: MessageRecord[]; reactions: ReactionRecord[] } {
  const messages = Array.from({ length: count }, (_, number) =>
    messageRecord(plan.context, {
      feed,
      name: `${feed.channelId}/${number}`,
      userId: userIdOf(people.any(random)),
      text: sentence(random),
      mentionedUsers: number % 50 === 7 ? [mentionOf(plan.context, userIdOf(people.any(random)))] : [],
      createdAt: new Date(feed.createdAt.getTime() + (number + 1) * 3 * 60_000),
    }),
  );
  const reactors = messages.map(() => (random.next() < 0.2 ? person(people.any(random)) : null));
  const reactions = messages.flatMap(({ messageId, createdAt }, number) => {
    const user = reactors[number];
    const given = { referenceType: 'message', referenceId: messageId, reactionName: 'like', createdAt } as const;
    return user ? [reactionRecord(plan.context, { ...given, userId: user.userId })] : [];
  });
  deriveReactions({ messages, reactions, users: reactors.filter((user) => user !== null) });
  return { messages, reactions };
}

/** The position of a member: most have read everything. */
function readingOf(feed: MessageFeedRecord, random: Random): Reading | undefined {
  if (random.next() < 0.6) return undefined;
  // Most of the others are near the end.
  const behind = random.skewedBelow(feed.lastSegment + 1);
  return { readToSegment: feed.lastSegment - behind };
}
