export { isCursorExpired, type Result, type Sink, type SubscribePayload } from './results.ts';
export { resumable } from './resumable.ts';
export { createStreamClient, type StreamClient, type StreamOptions } from './stream-client.ts';
