import { COMMENT_CASES } from './comment.ts';
import type { EventCase } from './event-case.ts';
import { FLAG_CASES } from './flag.ts';
import { MODERATION_CASES } from './moderation.ts';
import { NETWORK_CASES } from './network.ts';
import { POLL_CASES } from './poll.ts';
import { POST_CASES } from './post.ts';
import { POST_END_CASES } from './post-end.ts';
import { REACTION_CASES } from './reaction.ts';
import { ROOM_CASES } from './room.ts';
import { ROOM_END_CASES } from './room-end.ts';
import { STORY_CASES } from './story.ts';
import { VIDEO_STREAM_CASES } from './video-stream.ts';
import { VIEW_CASES } from './view.ts';

/** The cases of all mutations of content. */
export const CONTENT_CASES: EventCase[] = [
  ...POST_CASES,
  ...POST_END_CASES,
  ...FLAG_CASES,
  ...MODERATION_CASES,
  ...COMMENT_CASES,
  ...REACTION_CASES,
  ...STORY_CASES,
  ...POLL_CASES,
  ...VIDEO_STREAM_CASES,
  ...ROOM_CASES,
  ...ROOM_END_CASES,
  ...NETWORK_CASES,
  ...VIEW_CASES,
];
