import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import { messageAt, streamedProblems } from './asyncapi.ts';
import { keepExample } from './examples.ts';
import { waitFor } from './live.ts';

/** A server-sent event; missing fields are null. */
export interface SentEvent {
  id: string | null;
  event: string | null;
  data: string | null;
}

/** The received part of a stream of server-sent events. */
export interface EventStream {
  sent: SentEvent[];
  /** Resolves with the data of the first `count` events whose type is `next` or missing. */
  until(count: number, timeoutMs?: number): Promise<string[]>;
  stop(): void;
}

interface StreamRequest {
  headers: { [name: string]: string };
  /** Sent as JSON by POST. */
  body?: object;
}

/**
 * Reads a stream of server-sent events as a browser does and ignores comments. It uses its own connection: `fetch` opens
 * another one after a break, and a closing server waits for it.
 */
export async function openStream(url: string, { headers, body }: StreamRequest): Promise<EventStream> {
  const sending = request(url, {
    agent: false,
    method: body ? 'POST' : 'GET',
    headers: { accept: 'text/event-stream', ...(body && { 'content-type': 'application/json' }), ...headers },
  });
  sending.end(body && JSON.stringify(body));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  if (response.statusCode !== 200) {
    throw new Error(`${url} answered ${response.statusCode}: ${(await response.toArray()).join('')}`);
  }
  const sent: SentEvent[] = [];
  let text = '';
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    sent.push(...blocks.map(parsed));
  });
  // `stop` aborts the response.
  response.on('error', () => undefined);
  const received = () => sent.flatMap(({ event, data }) => (data && (event ?? 'next') === 'next' ? [data] : []));
  return {
    sent,
    async until(count, timeoutMs) {
      await waitFor(() => received().length >= count, timeoutMs);
      const texts = received().slice(0, count);
      expect(texts.flatMap((text) => streamedProblems(url, text))).toEqual([]);
      keepExample(messageAt(url), texts[0]!);
      return texts;
    },
    stop: () => void sending.destroy(),
  };
}

function parsed(block: string): SentEvent {
  const found: SentEvent = { id: null, event: null, data: null };
  for (const line of block.split('\n')) {
    const [, name, value] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
    if (name) found[name as keyof SentEvent] = value!;
  }
  return found;
}
