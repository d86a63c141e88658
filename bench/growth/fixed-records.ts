import { baseRecord } from '../../src/sample/builders/base.ts';
import { channelUserRecord, messageFeedRecord, userFeedMarkerRecord } from '../../src/sample/builders/chat.ts';
import { communityUserRecord, pinRecord } from '../../src/sample/builders/community.ts';
import { childPostRecord } from '../../src/sample/builders/content.ts';
import { roleRecord, userRecord } from '../../src/sample/builders/user.ts';
import type { Records } from '../../src/store/collections.ts';
import { NETWORK_ID } from '../data.ts';
import { AUTHOR, type Crowd, ENDPOINT_ID, JOINER, type NamedRecord, OWNER } from './crowd.ts';
import { blockRecord, followRecord } from './other-records.ts';

/** The most channels, communities and followed users of one user that lists search. */
const MAX_JOINED = 2_000;
/** The most users that one user can block, and the most roles of a network. */
const MAX_BLOCKED = 1_000;
const MAX_ROLES = 1_000;
/** The most feeds of a channel, pins of one place and webhook endpoints: both networks have them. */
const FEEDS = 100;
const PINS = 50;
const ENDPOINTS = 10;
/** Every list has a full page of records in both networks, if as many can exist. */
const PAGE = 20;
/** The network that reaches the limits. */
const FULL_RECORDS = 1_000_000;

const times = <Item>(count: number, create: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => create(index));

/** Records that exist once, or as often as a limit allows. */
export function fixedRecords(crowd: Crowd, records: number): NamedRecord[] {
  const { context, community, channel, feed, post, others } = crowd;
  const upTo = (max: number) => Math.min(others, Math.max(PAGE, Math.ceil((records * max) / FULL_RECORDS)));
  const createdAt = crowd.timeOf(0);
  const owner = userRecord(context, { userId: OWNER, displayName: 'Owner', createdAt });
  const blockCount = upTo(MAX_BLOCKED);
  const joiner = userRecord(context, { userId: JOINER, displayName: 'Joiner', createdAt, blockCount });
  return [
    ['users', owner],
    ['users', joiner],
    ['users', userRecord(context, { userId: AUTHOR, displayName: 'Author', createdAt })],
    ['communities', community],
    ['communityUsers', communityUserRecord(context, { community, user: owner })],
    ['channels', channel],
    ['channelUsers', channelUserRecord(context, { channel, user: owner })],
    ['messageFeeds', feed],
    ...times(FEEDS - 1, (index): NamedRecord => {
      const createdAt = crowd.timeOf(index);
      return ['messageFeeds', messageFeedRecord(context, { channel, key: `talk-${index}`, userId: OWNER, createdAt })];
    }),
    ['messages', crowd.message],
    ['messages', crowd.newestMessage],
    ['posts', post],
    ...post.children.map((postId): NamedRecord => {
      const child = childPostRecord(context, post, { postId, dataType: 'image', data: { text: postId } });
      return ['posts', child];
    }),
    ['comments', crowd.comment],
    ['stories', crowd.story],
    ...times(Math.min(PINS, others), (index) => pinsOf(crowd, index)).flat(),
    ...times(upTo(MAX_ROLES), (index): NamedRecord => {
      const role = { roleId: `crowd-role-${index}`, displayName: crowd.nameOf(index), permissions: [], rank: 0 };
      return ['roles', roleRecord(context, { ...role, createdAt: crowd.timeOf(index) })];
    }),
    ...times(blockCount, (index): NamedRecord => {
      const block = { userId: JOINER, blockedUserId: `banned-user-${index}`, createdAt: crowd.timeOf(index) };
      return ['userBlocks', blockRecord(crowd, block)];
    }),
    ...times(upTo(MAX_JOINED), (index) => joinedBy(joiner, crowd, index)).flat(),
    ...times(ENDPOINTS, (index): NamedRecord => ['webhookEndpoints', endpointRecord(crowd, index)]),
  ];
}

function pinsOf(crowd: Crowd, index: number): NamedRecord[] {
  const pin = {
    placement: 'default',
    referenceId: crowd.postOf(index),
    pinnedBy: OWNER,
    pinnedAt: crowd.timeOf(index),
  };
  return [
    ['pins', pinRecord(crowd.context, { ...pin, targetId: 'crowd' })],
    ['pins', pinRecord(crowd.context, { ...pin, targetType: 'network', targetId: NETWORK_ID })],
  ];
}

/** A community, a channel and a user that a user joined or follows. */
function joinedBy(user: Records['users'], crowd: Crowd, index: number): NamedRecord[] {
  const { context } = crowd;
  const { userId } = user;
  const createdAt = crowd.timeOf(index);
  const community = { ...crowd.placeOf(index), createdAt };
  const channel = crowd.channelOf(index);
  const marker = { userId, entityId: channel._id.toHexString(), feedId: channel.defaultMessageFeedId, createdAt };
  return [
    ['communityUsers', communityUserRecord(context, { community, user })],
    ['channelUsers', channelUserRecord(context, { channel, user })],
    ['userFeedMarkers', userFeedMarkerRecord(context, marker)],
    ['follows', followRecord(crowd, { userId, followedUserId: `crowd-user-${index}`, createdAt })],
  ];
}

function endpointRecord({ context, timeOf }: Crowd, index: number): Records['webhookEndpoints'] {
  const base = baseRecord(context, { kind: 'webhookEndpoint', name: String(index) }, { createdAt: timeOf(0) });
  return {
    ...base,
    endpointId: index === 0 ? ENDPOINT_ID : base._id.toHexString(),
    ...{ url: 'http://bench.invalid/', secrets: [], events: ['v3.post.didCreate'], method: 'POST', accessToken: null },
    ...{ payload: 'documented', selection: null, failingSince: null, queued: 0, heldUntil: null },
    // Otherwise the gateway would deliver events to it.
    ...{ enabled: false, disabledReason: 'admin', disabledAt: base.createdAt },
  };
}
