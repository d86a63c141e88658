import { waitFor } from './live.ts';

/** The received part of a stream of server-sent events. */
export interface SseStream {
  status: number;
  headers: Headers;
  /** The data of `next` events. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  results: any[];
  /** Comment lines. */
  comments: string[];
  readonly isComplete: boolean;
  /** Whether the connection has ended. */
  readonly isOver: boolean;
  until(count: number, timeoutMs?: number): Promise<SseStream['results']>;
  stop(): void;
}

/** Executes an operation at `/graphql` as server-sent events. */
export async function sseStream(
  url: string,
  body: { query: string; variables?: Record<string, unknown> },
  { token, method = 'POST' }: { token: string | null; method?: 'GET' | 'POST' },
): Promise<SseStream> {
  const stopped = new AbortController();
  const query = new URLSearchParams({ query: body.query, variables: JSON.stringify(body.variables ?? {}) });
  const response = await fetch(method === 'GET' ? `${url}/graphql?${query}` : `${url}/graphql`, {
    method,
    signal: stopped.signal,
    headers: {
      accept: 'text/event-stream',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  const results: SseStream['results'] = [];
  const comments: string[] = [];
  let isComplete = false;
  let isOver = false;

  function take(block: string): void {
    const lines = block.split('\n');
    comments.push(...lines.filter((line) => line.startsWith(':')));
    const type = lines.find((line) => line.startsWith('event: '))?.slice('event: '.length);
    const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length);
    if (type === 'next') results.push(JSON.parse(data!));
    if (type === 'complete') isComplete = true;
  }

  (async () => {
    let rest = '';
    for await (const text of response.body!.pipeThrough(
      new TextDecoderStream() as never,
    ) as unknown as AsyncIterable<string>) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) take(block);
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return {
    status: response.status,
    headers: response.headers,
    results,
    comments,
    get isComplete() {
      return isComplete;
    },
    get isOver() {
      return isOver;
    },
    until: (count, timeoutMs) => waitFor(() => results.length >= count, timeoutMs).then(() => results),
    stop: () => stopped.abort(),
  };
}
