import { expect } from 'vitest';
import { subscriptionName } from '../../schema/event/event-type.ts';
import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { openStream } from './event-stream.ts';
import type { TestGateway } from './gateway.ts';
import { liveClient } from './live.ts';
import { ask, type Payload } from './mutate.ts';

/** How one event came through each door, to one and the same user. */
export interface ThroughDoors {
  /** GraphQL over a websocket, and over server-sent events: what the subscription's field holds. */
  socket: Payload;
  stream: Payload;
  /** `GET /realtime/<event>`: the text of the envelope, as a stream and as a long poll. */
  rest: string;
  poll: string;
  /** `GET /webhook/<name>`, as the application itself: the text of the body; null where webhooks are not told. */
  webhook: string | null;
}

export interface Listened {
  event: EventName;
  /** Who listens. */
  as: string;
  /** What is selected of the event over GraphQL. */
  select: string;
}

/** Lets somebody listen at every door while `work` causes one event, and hands back what each door told of it. */
export async function throughDoors(
  gateway: TestGateway,
  { event, as, select }: Listened,
  work: () => Promise<unknown>,
): Promise<ThroughDoors> {
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }', { as });
  const query = `subscription ($after: String) { told: ${subscriptionName(event)}(after: $after) { ${select} } }`;
  const headers = { authorization: `Bearer ${await gateway.tokenOf(as)}` };
  const url = `${gateway.url}/realtime/${event}`;
  const live = await liveClient(gateway, as);
  const socket = live.listen(query, { after });
  const [stream, rest] = await Promise.all([
    openStream(`${gateway.url}/graphql`, { headers, body: { query, variables: { after } } }),
    openStream(url, { headers }),
  ]);
  const polling = gateway.rest(`/realtime/${event}?wait=20&after=${after}`, { as });
  const { webhook } = EVENTS[event];
  const server = { as: null, headers: { 'x-server-key': gateway.keys.SERVER_KEY } };
  const pulling = webhook && gateway.rest(`/webhook/${webhook}?wait=20&after=${after}`, server);
  try {
    await work();
    const poll = await polling;
    expect(poll.status).toBe(200);
    const [written] = await stream.until(1);
    const { data, errors } = JSON.parse(written!);
    expect(errors).toBeUndefined();
    const [told] = await socket.until(1);
    expect(socket.errors).toEqual([]);
    const [text] = await rest.until(1);
    return { socket: told, stream: data.told, rest: text!, poll: poll.text, webhook: pulling && (await pulling).text };
  } finally {
    stream.stop();
    rest.stop();
    await live.close();
  }
}

/** How a webhook is pulled by the holder of the server key: the text of its body, as a stream and as a long poll. */
export async function pulled(
  gateway: TestGateway,
  webhook: string,
  work: () => Promise<unknown>,
): Promise<{ stream: string; poll: string }> {
  const url = `${gateway.url}/webhook/${webhook}`;
  const headers = { authorization: `Bearer ${gateway.keys.SERVER_KEY}` };
  const { eventCursor } = await ask(gateway, '{ eventCursor }');
  const stream = await openStream(url, { headers });
  const polling = fetch(`${url}?wait=20&after=${eventCursor}`, { headers });
  try {
    await work();
    const [text] = await stream.until(1);
    const poll = await polling;
    expect(poll.status).toBe(200);
    return { stream: text!, poll: await poll.text() };
  } finally {
    stream.stop();
  }
}
