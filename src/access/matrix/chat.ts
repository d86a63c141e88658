import { type Row, rows } from './row.ts';

/** Channels and their members, message feeds, messages, markers, video streams, rooms. */
export const CHAT: readonly Row[] = rows({});
