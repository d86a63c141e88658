import type { ChannelUserRecord, MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';
import { type Message, messageRecord } from '../builders/chat.ts';
import { mentionOf } from '../builders/content.ts';
import type { SampleContext } from '../context.ts';
import type { Reading } from '../derive/markers.ts';

/** Messages of every type, in the order of sending. */
export function sampleMessages(context: SampleContext, feeds: MessageFeedRecord[]): MessageRecord[] {
  const feed = (channelId: string, key = 'default'): MessageFeedRecord => {
    const isDefault = key === 'default';
    const messageFeedId = isDefault
      ? context.hex('channel', channelId)
      : context.hex('messageFeed', `${channelId}/${key}`);
    return feeds.find((one) => one.messageFeedId === messageFeedId)!;
  };
  const gardeners = feed('gardeners-chat');
  const conversation = feed('alice-and-bob');
  const exchange = feed('seed-exchange');
  const sent: Array<Omit<Message, 'createdAt'>> = [
    { feed: gardeners, name: 'welcome', userId: 'alice', text: 'Welcome, everybody.', tags: ['greeting'] },
    {
      feed: gardeners,
      name: 'wrong',
      userId: 'dave',
      text: 'You are all doing it wrong.',
      isDeleted: true,
    },
    {
      feed: gardeners,
      name: 'who-waters',
      userId: 'alice',
      text: '@bob, do you water on Sunday?',
      mentionedUsers: [mentionOf(context, 'bob')],
      metadata: { urgent: true },
      referenceId: 'LOCAL_5a0d6b43-0000-4000-8000-000000000002',
      editedAt: context.at(504),
    },
    {
      feed: gardeners,
      name: 'i-water',
      userId: 'bob',
      text: 'I do.',
      parentId: context.hex('message', 'who-waters'),
    },
    {
      feed: gardeners,
      name: 'meeting',
      userId: 'carol',
      text: '@all: we meet on Sunday.',
      mentionedUsers: [{ type: 'channel', userIds: [], userInternalIds: [] }],
    },
    { feed: gardeners, name: 'see-you', userId: 'mia', text: 'See you there.' },
    {
      feed: feed('gardeners-chat', 'tools'),
      name: 'shears',
      userId: 'bob',
      dataType: 'image',
      fileId: 'shears-picture',
      thumbnailFileId: 'shears-picture',
      data: { fileId: 'shears-picture', caption: 'Sharpened, free to borrow.' },
    },
    { feed: feed('gardeners-chat', 'tools'), name: 'borrow', userId: 'heidi', text: 'Me first!' },
    {
      feed: feed('orchard-keepers-chat'),
      name: 'ladder',
      userId: 'frank',
      text: 'The long ladder is behind the shed.',
    },
    { feed: conversation, name: 'secret-plan', userId: 'alice', text: 'Shall we surprise Carol?' },
    {
      feed: conversation,
      name: 'plan',
      userId: 'bob',
      dataType: 'file',
      fileId: 'planting-plan',
      data: { fileId: 'planting-plan', caption: 'With this.' },
    },
    {
      feed: conversation,
      name: 'her-song',
      userId: 'alice',
      dataType: 'audio',
      fileId: 'blackbird',
      data: { fileId: 'blackbird' },
    },
    { feed: conversation, name: 'deal', userId: 'bob', text: 'Deal.' },
    { feed: exchange, name: 'beans', userId: 'carol', dataType: 'custom', data: { offer: 'beans', bags: 3 } },
    { feed: exchange, name: 'offer', userId: 'kim', text: 'Cheap seeds, follow the link.' },
    {
      feed: exchange,
      name: 'sprouting',
      userId: 'alice',
      dataType: 'video',
      fileId: 'shoots-original',
      thumbnailFileId: 'shoots-thumbnail',
      data: { fileId: 'shoots-original', thumbnailFileId: 'shoots-thumbnail' },
    },
    { feed: feed('greenhouse-chat'), name: 'hello-live', userId: 'mia', text: 'Hello from the shade.' },
  ];
  return sent.map((message, index) => messageRecord(context, { ...message, createdAt: context.at(500 + index * 2) }));
}

/** Positions of members with unread messages, by channel, feed and user. */
const BEHIND: { [place: string]: Reading & { isReading?: true } } = {
  'gardeners-chat/default/bob': { readToSegment: 2, deliveredToSegment: 4 },
  'gardeners-chat/default/carol': { readToSegment: 4 },
  'gardeners-chat/default/heidi': { readToSegment: 0, deliveredToSegment: 0 },
  'gardeners-chat/tools/alice': { readToSegment: 0, deliveredToSegment: 2 },
  'alice-and-bob/default/alice': { readToSegment: 1 },
  'seed-exchange/default/erin': { readToSegment: 1, deliveredToSegment: 2 },
  'seed-exchange/default/alice': { readToSegment: 3, isReading: true },
};

/** The position of a member in a feed; undefined if they have read everything. */
export function sampleReading(
  context: SampleContext,
  member: ChannelUserRecord,
  feed: MessageFeedRecord,
): Reading | undefined {
  const key = feed.isDefault ? 'default' : 'tools';
  const behind = BEHIND[`${member.channelId}/${key}/${member.userId}`];
  if (!behind?.isReading) return behind;
  return { ...behind, readingUntil: context.at(550) };
}
