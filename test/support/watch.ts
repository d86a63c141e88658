import { subscriptionName } from '../../schema/event/event-type.ts';
import type { EventName } from '../../src/events/catalogue.ts';
import type { TestGateway } from './gateway.ts';
import { waitFor } from './live.ts';
import { ask } from './mutate.ts';
import { rawSocket } from './raw-socket.ts';
import { sseStream } from './sse.ts';

/** GraphQL over a WebSocket and as server-sent events; REST as a stream and by polling. */
const TRANSPORTS = ['socket', 'stream', 'rest', 'poll'] as const;
type Transport = (typeof TRANSPORTS)[number];

/** A subscriber to one event over all transports, from the cursor at which it was created. */
export interface Watcher {
  /** Paths of the received events by transport. */
  paths(): Record<Transport, string[]>;
  /** All received events as JSON. */
  text(): string;
  /** Resolves when this event has arrived over every transport; earlier events arrive before it or never. */
  until(path: string): Promise<void>;
  stop(): void;
}

interface ReceivedEvent {
  path: string;
}

export async function watch(gateway: TestGateway, userId: string, event: EventName, select = ''): Promise<Watcher> {
  const token = await gateway.tokenOf(userId);
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
  const query = `subscription ($after: String) { event: ${subscriptionName(event)}(after: $after) { path ${select} } }`;
  const socket = await (await rawSocket(gateway.url)).init(token);
  socket.send({ id: '1', type: 'subscribe', payload: { query, variables: { after } } });
  const stream = await sseStream(gateway.url, { query, variables: { after } }, { token });
  const url = `${gateway.url}/realtime/${event}`;
  const rest = await restStream(`${url}?after=${after}`, token);
  const poll = keepPolling(url, token, after);

  const received = () => ({
    socket: socket.messages
      .filter(({ type }) => type === 'next')
      .map(({ payload }): ReceivedEvent => payload.data.event),
    stream: stream.results.map(({ data }): ReceivedEvent => data.event),
    rest: rest.received,
    poll: poll.received,
  });
  const pathsOf = (all: ReceivedEvent[]) => all.map(({ path }) => path.replace(`${gateway.networkId}/`, ''));
  const paths = () => {
    const all = received();
    return Object.fromEntries(TRANSPORTS.map((transport) => [transport, pathsOf(all[transport])])) as Record<
      Transport,
      string[]
    >;
  };
  return {
    paths,
    text: () => JSON.stringify(received()),
    until: (path) => waitFor(() => Object.values(paths()).every((some) => some.includes(path)), 20_000),
    stop() {
      socket.close();
      stream.stop();
      rest.stop();
      poll.stop();
    },
  };
}

async function restStream(url: string, token: string): Promise<{ received: ReceivedEvent[]; stop(): void }> {
  const stopped = new AbortController();
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, signal: stopped.signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  const received: ReceivedEvent[] = [];
  (async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body!) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data && !block.startsWith('event: error')) received.push(JSON.parse(data));
      }
    }
  })().catch(() => undefined);
  return { received, stop: () => stopped.abort() };
}

/** Long polls, each from the cursor of the previous response. */
function keepPolling(url: string, token: string, from: string): { received: ReceivedEvent[]; stop(): void } {
  const stopped = new AbortController();
  const received: ReceivedEvent[] = [];
  (async () => {
    for (let after = from; !stopped.signal.aborted; ) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}?wait=20&after=${after}`, { headers, signal: stopped.signal });
      if (response.status === 200) received.push((await response.json()) as ReceivedEvent);
      else if (response.status !== 204) return;
      after = response.headers.get('event-cursor') ?? after;
    }
  })().catch(() => undefined);
  return { received, stop: () => stopped.abort() };
}
