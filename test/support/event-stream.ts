import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import { messageAt, toldProblems } from './asyncapi.ts';
import { keepExample } from './examples.ts';
import { waitFor } from './live.ts';

/** One server-sent event; what it lacks is null. */
export interface SentEvent {
  id: string | null;
  event: string | null;
  data: string | null;
}

/** What a stream of server-sent events has told so far. */
export interface EventStream {
  sent: SentEvent[];
  /** The data of the first so many events that have some, and are told as `next` or as nothing in particular. */
  until(count: number, timeoutMs?: number): Promise<string[]>;
  stop(): void;
}

interface Asked {
  headers: { [name: string]: string };
  /** Sent as JSON by POST. */
  body?: object;
}

/**
 * Reads a stream as a browser does: fields line by line, an event at each empty line, comments passed over. It has a
 * connection of its own: `fetch` opens another when one is cut, and a server that ends waits for it.
 */
export async function openStream(url: string, { headers, body }: Asked): Promise<EventStream> {
  const asking = request(url, {
    agent: false,
    method: body ? 'POST' : 'GET',
    headers: { accept: 'text/event-stream', ...(body && { 'content-type': 'application/json' }), ...headers },
  });
  asking.end(body && JSON.stringify(body));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
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
  // Whoever stops cuts the answer off.
  response.on('error', () => undefined);
  const told = () => sent.flatMap(({ event, data }) => (data && (event ?? 'next') === 'next' ? [data] : []));
  return {
    sent,
    async until(count, timeoutMs) {
      await waitFor(() => told().length >= count, timeoutMs);
      const texts = told().slice(0, count);
      expect(texts.flatMap((text) => toldProblems(url, text))).toEqual([]);
      keepExample(messageAt(url), texts[0]!);
      return texts;
    },
    stop: () => void asking.destroy(),
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
