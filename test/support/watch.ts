import { subscriptionName } from '../../schema/event/event-type.ts';
import type { EventName } from '../../src/events/catalogue.ts';
import type { TestGateway } from './gateway.ts';
import { waitFor } from './live.ts';
import { ask } from './mutate.ts';
import { rawSocket } from './raw-socket.ts';
import { sseStream } from './sse.ts';

/** GraphQL over a websocket and as server-sent events; REST as a stream and by polling. */
const DOORS = ['socket', 'stream', 'rest', 'poll'] as const;
type Door = (typeof DOORS)[number];

/** Somebody who listens to one event over every door at once, from the moment they were told to on. */
export interface Watcher {
  /** Paths of what came, by door. */
  paths(): Record<Door, string[]>;
  /** Everything that came, as text. */
  text(): string;
  /** Resolves when this has come over every door: then all that lies before it has come, or never will. */
  until(path: string): Promise<void>;
  stop(): void;
}

interface Told {
  path: string;
}

export async function watch(gateway: TestGateway, userId: string, event: EventName, select = ''): Promise<Watcher> {
  const token = await gateway.tokenOf(userId);
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
  const query = `subscription ($after: String) { told: ${subscriptionName(event)}(after: $after) { path ${select} } }`;
  const socket = await (await rawSocket(gateway.url)).init(token);
  socket.send({ id: '1', type: 'subscribe', payload: { query, variables: { after } } });
  const stream = await sseStream(gateway.url, { query, variables: { after } }, { token });
  const url = `${gateway.url}/realtime/${event}`;
  const rest = await restStream(`${url}?after=${after}`, token);
  const poll = keepPolling(url, token, after);

  const told = () => ({
    socket: socket.messages.filter(({ type }) => type === 'next').map(({ payload }): Told => payload.data.told),
    stream: stream.results.map(({ data }): Told => data.told),
    rest: rest.told,
    poll: poll.told,
  });
  const pathsOf = (all: Told[]) => all.map(({ path }) => path.replace(`${gateway.networkId}/`, ''));
  const paths = () => {
    const all = told();
    return Object.fromEntries(DOORS.map((door) => [door, pathsOf(all[door])])) as Record<Door, string[]>;
  };
  return {
    paths,
    text: () => JSON.stringify(told()),
    until: (path) => waitFor(() => Object.values(paths()).every((some) => some.includes(path)), 20_000),
    stop() {
      socket.close();
      stream.stop();
      rest.stop();
      poll.stop();
    },
  };
}

async function restStream(url: string, token: string): Promise<{ told: Told[]; stop(): void }> {
  const stopped = new AbortController();
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, signal: stopped.signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  const told: Told[] = [];
  (async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body!) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data && !block.startsWith('event: error')) told.push(JSON.parse(data));
      }
    }
  })().catch(() => undefined);
  return { told, stop: () => stopped.abort() };
}

/** One answer after the other, each from the cursor of the last one on. */
function keepPolling(url: string, token: string, from: string): { told: Told[]; stop(): void } {
  const stopped = new AbortController();
  const told: Told[] = [];
  (async () => {
    for (let after = from; !stopped.signal.aborted; ) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}?wait=20&after=${after}`, { headers, signal: stopped.signal });
      if (response.status === 200) told.push((await response.json()) as Told);
      else if (response.status !== 204) return;
      after = response.headers.get('event-cursor') ?? after;
    }
  })().catch(() => undefined);
  return { told, stop: () => stopped.abort() };
}
