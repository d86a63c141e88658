import { CHANNEL_CASES } from './channel.ts';
import { CHANNEL_MEMBER_CASES } from './channel-members.ts';
import { CHANNEL_MODERATION_CASES } from './channel-moderation.ts';
import { COMMUNITY_CASES } from './community.ts';
import { COMMUNITY_MEMBER_CASES } from './community-members.ts';
import { COMMUNITY_MODERATION_CASES } from './community-moderation.ts';
import type { EventCase } from './event-case.ts';
import { FOLLOW_CASES } from './follow.ts';
import { JOIN_REQUEST_CASES } from './join-request.ts';
import { MARKER_CASES } from './marker.ts';
import { MESSAGE_CASES } from './message.ts';
import { MESSAGE_FEED_CASES } from './message-feed.ts';
import { USER_CASES } from './user.ts';
import { USER_END_CASES } from './user-end.ts';
import { USER_ERASURE_CASES } from './user-erasure.ts';
import { USER_MODERATION_CASES } from './user-moderation.ts';

/** The cases of all mutations of people and chat, except those that need a key of the network. */
export const PEOPLE_AND_CHAT_CASES: EventCase[] = [
  ...USER_CASES,
  ...FOLLOW_CASES,
  ...USER_MODERATION_CASES,
  ...COMMUNITY_CASES,
  ...COMMUNITY_MEMBER_CASES,
  ...COMMUNITY_MODERATION_CASES,
  ...JOIN_REQUEST_CASES,
  ...CHANNEL_CASES,
  ...CHANNEL_MEMBER_CASES,
  ...CHANNEL_MODERATION_CASES,
  ...MESSAGE_FEED_CASES,
  ...MESSAGE_CASES,
  ...MARKER_CASES,
  ...USER_END_CASES,
  ...USER_ERASURE_CASES,
];
