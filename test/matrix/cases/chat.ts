import type { MatrixCase } from '../matrix-case.ts';
import { CHANNEL_CASES } from './channel.ts';
import { MARKER_CASES } from './marker.ts';
import { MEDIA_CASES } from './media.ts';
import { MESSAGE_CASES } from './message.ts';
import { MESSAGE_FEED_CASES } from './message-feed.ts';

/** Cases of channels, message feeds, messages, markers, video streams and rooms. */
export const CHAT_CASES: MatrixCase[] = [
  ...CHANNEL_CASES,
  ...MESSAGE_FEED_CASES,
  ...MESSAGE_CASES,
  ...MARKER_CASES,
  ...MEDIA_CASES,
];
