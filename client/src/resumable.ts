import type { ClientOptions } from 'graphql-ws';
import { continued, isSubscription, ownCursor, type SubscribePayload } from './payload.ts';
import { cursorOf, type Result } from './results.ts';
import { pauseBefore, SILENCE_MS } from './timing.ts';

/** Where a subscription continues after a broken connection. */
interface Place {
  /** Cursor of its last event, or of the `after` that the application passed. */
  cursor: string | null;
  /** A position of the server from before it began, for a subscription that has received nothing yet. */
  began: string | null;
}

/** A message of `graphql-transport-ws`, as far as it concerns cursors. */
interface Message {
  type: string;
  id?: string;
  payload?: unknown;
}

/** The user is banned or deleted. */
const FORBIDDEN = 4403;
/** The server has sent nothing for too long. */
const SILENT = 4408;

/**
 * Options of `createClient` of graphql-ws, extended so that its subscriptions continue where they ended: a subscription that
 * reconnects sends the cursor of its last event, so that no event is missing and none is repeated. The client reconnects
 * with growing delays, without a limit, and also if the connection is silent for 45 s. Options for retries that are given
 * apply instead.
 *
 * A subscription must declare `$after: String`, pass it as `after`, and select `cursor`; `subscribe` throws an Error
 * otherwise. Without a value of `$after` it starts now.
 *
 * @example createClient(resumable({ url, connectionParams: () => ({ Authorization: `Bearer ${token}` }) }))
 */
export function resumable(options: ClientOptions): ClientOptions {
  const places = new Map<string, Place>();
  /** The newest position of which the server has informed this client. */
  let position: string | null = null;
  let lastId = 0;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let socket: { close(code?: number, reason?: string): void } | undefined;

  function listen(): void {
    clearTimeout(silence);
    silence = setTimeout(() => socket?.close(SILENT, 'The server is silent'), SILENCE_MS);
  }

  function receive({ type, id, payload }: Message): void {
    listen();
    const place = id === undefined ? undefined : places.get(id);
    if (type === 'next' && place) place.cursor = cursorOf(payload as Result) ?? place.cursor;
    else if (type === 'error' || type === 'complete') places.delete(id!);
    else if (type === 'connection_ack' || type === 'ping')
      reach(payload as { cursor?: string; ids?: string[] } | undefined);
  }

  /** Takes the server's position, up to which the listed subscriptions have received everything. */
  function reach({ cursor, ids = [] }: { cursor?: string; ids?: string[] } = {}): void {
    if (typeof cursor !== 'string') return;
    position = cursor;
    for (const id of ids) {
      const place = places.get(id);
      if (place) place.cursor = cursor;
    }
  }

  /** Adds the cursor to a subscribe message that continues a subscription. */
  function send(message: Message): Message {
    const place = message.id === undefined ? undefined : places.get(message.id);
    if (!place) return message;
    if (message.type === 'complete') places.delete(message.id!);
    if (message.type !== 'subscribe') return message;
    const payload = continued(message.payload as SubscribePayload, place.cursor ?? place.began);
    place.began ??= position;
    return { ...message, payload };
  }

  const { on, jsonMessageReplacer, generateID } = options;
  return {
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: pauseBefore,
    shouldRetry: (reason) => (reason as { code?: number } | null)?.code !== FORBIDDEN,
    ...options,
    generateID(payload) {
      const isResumable = isSubscription(payload);
      lastId += 1;
      const id = generateID?.(payload) ?? String(lastId);
      if (isResumable) places.set(id, { cursor: ownCursor(payload), began: null });
      return id;
    },
    jsonMessageReplacer(key, value) {
      const sent = key === '' ? send(value) : value;
      return jsonMessageReplacer ? jsonMessageReplacer.call(this, key, sent) : sent;
    },
    on: {
      ...on,
      opened(opened) {
        socket = opened as typeof socket;
        listen();
        on?.opened?.(opened);
      },
      message(message) {
        receive(message);
        on?.message?.(message);
      },
      closed(event) {
        clearTimeout(silence);
        on?.closed?.(event);
      },
    },
  };
}
