import type { Scene } from '../scene.ts';
import { CHANNEL_SCENES } from './channel.ts';
import { MARKER_SCENES } from './marker.ts';
import { MEDIA_SCENES } from './media.ts';
import { MESSAGE_SCENES } from './message.ts';
import { MESSAGE_FEED_SCENES } from './message-feed.ts';

/** Scenes of channels, message feeds, messages, markers, video streams, rooms; a file a noun beside this one. */
export const CHAT_SCENES: Scene[] = [
  ...CHANNEL_SCENES,
  ...MESSAGE_FEED_SCENES,
  ...MESSAGE_SCENES,
  ...MARKER_SCENES,
  ...MEDIA_SCENES,
];
