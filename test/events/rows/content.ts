import { COMMENT_ROWS } from './comment.ts';
import { FLAG_ROWS } from './flag.ts';
import { NETWORK_ROWS } from './network.ts';
import { POLL_ROWS } from './poll.ts';
import { POST_ROWS } from './post.ts';
import { POST_END_ROWS } from './post-end.ts';
import { REACTION_ROWS } from './reaction.ts';
import { ROOM_ROWS } from './room.ts';
import { ROOM_END_ROWS } from './room-end.ts';
import type { EventRow } from './row.ts';
import { STORY_ROWS } from './story.ts';
import { VIDEO_STREAM_ROWS } from './video-stream.ts';
import { VIEW_ROWS } from './view.ts';

/** What every mutation of content appends. */
export const CONTENT_ROWS: EventRow[] = [
  ...POST_ROWS,
  ...POST_END_ROWS,
  ...FLAG_ROWS,
  ...COMMENT_ROWS,
  ...REACTION_ROWS,
  ...STORY_ROWS,
  ...POLL_ROWS,
  ...VIDEO_STREAM_ROWS,
  ...ROOM_ROWS,
  ...ROOM_END_ROWS,
  ...NETWORK_ROWS,
  ...VIEW_ROWS,
];
