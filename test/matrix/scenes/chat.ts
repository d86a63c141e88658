import type { Scene } from '../scene.ts';

/** Scenes of channels, message feeds, messages, markers, video streams, rooms; a file a noun beside this one. */
export const CHAT_SCENES: Scene[] = [];
