export type { SubscribePayload } from './payload.ts';
export { isCursorExpired, type Result, type Sink } from './results.ts';
export { resumable } from './resumable.ts';
export { createStreamClient, type StreamClient, type StreamOptions } from './stream-client.ts';
