import { CHANNEL_ROWS } from './channel.ts';
import { CHANNEL_MEMBER_ROWS } from './channel-members.ts';
import { CHANNEL_MODERATION_ROWS } from './channel-moderation.ts';
import { COMMUNITY_ROWS } from './community.ts';
import { COMMUNITY_MEMBER_ROWS } from './community-members.ts';
import { COMMUNITY_MODERATION_ROWS } from './community-moderation.ts';
import { JOIN_REQUEST_ROWS } from './join-request.ts';
import { MARKER_ROWS } from './marker.ts';
import { MESSAGE_ROWS } from './message.ts';
import { MESSAGE_FEED_ROWS } from './message-feed.ts';
import type { EventRow } from './row.ts';
import { USER_ROWS } from './user.ts';
import { USER_END_ROWS } from './user-end.ts';
import { USER_MODERATION_ROWS } from './user-moderation.ts';

/** What every mutation of people and chat appends. What another key than a user's asks for stands in their test. */
export const PEOPLE_AND_CHAT_ROWS: EventRow[] = [
  ...USER_ROWS,
  ...USER_MODERATION_ROWS,
  ...COMMUNITY_ROWS,
  ...COMMUNITY_MEMBER_ROWS,
  ...COMMUNITY_MODERATION_ROWS,
  ...JOIN_REQUEST_ROWS,
  ...CHANNEL_ROWS,
  ...CHANNEL_MEMBER_ROWS,
  ...CHANNEL_MODERATION_ROWS,
  ...MESSAGE_FEED_ROWS,
  ...MESSAGE_ROWS,
  ...MARKER_ROWS,
  ...USER_END_ROWS,
];
