import { continued, isSubscription, ownCursor, type SubscribePayload } from './payload.ts';
import { cursorOf, hasCode, type Result, type Sink } from './results.ts';
import { pauseBefore, SILENCE_MS } from './timing.ts';

export interface StreamOptions {
  /** Address of the GraphQL endpoint. */
  url: string;
  /** Headers of each request, such as `Authorization`; called before each attempt. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>;
  /** @default the global `fetch` */
  fetch?: typeof fetch;
}

export interface StreamClient {
  /** Starts a subscription. @returns a function that ends it */
  subscribe<Data = Record<string, unknown>>(payload: SubscribePayload, sink: Sink<Data>): () => void;
}

/** The connection ended, or the server is not available: the subscription continues after a pause. */
class Broken extends Error {}

/**
 * A client for subscriptions as server-sent events, for networks that block WebSockets. They continue where they ended, as
 * those of `resumable` do, and must declare `$after`, pass it, and select `cursor`. Several subscriptions of a page need
 * HTTP/2, because browsers open six connections of HTTP/1.1 at most.
 */
export function createStreamClient({ url, headers, fetch: send = fetch }: StreamOptions): StreamClient {
  return {
    subscribe(payload, sink) {
      if (!isSubscription(payload)) throw new Error('Only subscriptions are streamed.');
      const stopped = new AbortController();
      follow(payload, sink as Sink, stopped.signal).then(
        () => stopped.signal.aborted || sink.complete(),
        (reason) => stopped.signal.aborted || sink.error(reason),
      );
      return () => stopped.abort();
    },
  };

  async function follow(payload: SubscribePayload, sink: Sink, signal: AbortSignal): Promise<void> {
    let cursor = ownCursor(payload);
    /** The server's position when the subscription began. */
    let began: string | null = null;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const connection = new AbortController();
      try {
        const either = AbortSignal.any([signal, connection.signal]);
        const requested = request(continued(payload, cursor ?? began), either);
        const response: Response = await unlessSilent(connection, requested);
        began ??= response.headers.get('event-cursor');
        for await (const { event, data } of eventsOf(response, connection)) {
          attempt = 0;
          if (event === 'complete') return;
          if (event !== 'next') continue;
          const result: Result = JSON.parse(data);
          const reached = cursorOf(result);
          if (reached === null && hasCode(result.errors, 'UNAVAILABLE')) throw new Broken();
          if (reached === null && result.errors) throw result.errors;
          sink.next(result);
          cursor = reached ?? cursor;
        }
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
      } finally {
        connection.abort();
      }
      if (!signal.aborted) await pauseBefore(attempt);
    }
  }

  /** @throws Broken if a later attempt may succeed; GraphQL errors if not */
  async function request(payload: SubscribePayload, signal: AbortSignal): Promise<Response> {
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...(await headers?.()) },
      body: JSON.stringify(payload),
      signal,
    }).catch(() => Promise.reject(new Broken()));
    if (response.status === 429 || response.status >= 500) throw new Broken();
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    const { errors } = await response.json().catch(() => ({}));
    throw errors ?? [{ message: `The server answered with status ${response.status}.` }];
  }
}

/** Waits for the server, and ends a connection on which it is silent. */
async function unlessSilent<Answer>(connection: AbortController, answer: Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(() => connection.abort(), SILENCE_MS);
  return answer.finally(() => clearTimeout(timer));
}

/** Reads server-sent events. @throws Broken when the connection ends or is silent */
async function* eventsOf(
  { body }: Response,
  connection: AbortController,
): AsyncGenerator<{ event: string; data: string }> {
  const reader = body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const read = reader.read().catch(() => ({ done: true, value: undefined }));
    const { done, value } = await unlessSilent(connection, read);
    if (done) throw new Broken();
    const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map<string, string>();
      for (const line of block.split(/\r?\n/)) {
        const at = line.indexOf(':');
        const [name, text] = [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
        fields.set(name, fields.has(name) ? `${fields.get(name)}\n${text}` : text);
      }
      yield { event: fields.get('event') ?? 'message', data: fields.get('data') ?? '' };
    }
  }
}
