import { subscriptionName } from '../../schema/event/event-type.ts';
import type { EventName } from '../../src/events/catalogue.ts';
import type { TestGateway } from './gateway.ts';
import { waitFor } from './live.ts';
import { ask } from './mutate.ts';
import { rawSocket } from './raw-socket.ts';
import { sseStream } from './sse.ts';

/** Somebody who listens to one event over every door at once, from the moment they were told to on. */
export interface Watcher {
  /** Paths of what came, by door. */
  paths(): Record<'socket' | 'stream' | 'rest', string[]>;
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
  const rest = await restStream(`${gateway.url}/realtime/${event}?after=${after}`, token);

  const told = () => ({
    socket: socket.messages.filter(({ type }) => type === 'next').map(({ payload }): Told => payload.data.told),
    stream: stream.results.map(({ data }): Told => data.told),
    rest: rest.told,
  });
  const pathsOf = (all: Told[]) => all.map(({ path }) => path.replace('default/', ''));
  const paths = () => {
    const all = told();
    return { socket: pathsOf(all.socket), stream: pathsOf(all.stream), rest: pathsOf(all.rest) };
  };
  return {
    paths,
    text: () => JSON.stringify(told()),
    until: (path) => waitFor(() => Object.values(paths()).every((some) => some.includes(path)), 20_000),
    stop() {
      socket.close();
      stream.stop();
      rest.stop();
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
