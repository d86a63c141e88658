import { expect } from 'vitest';
import { subscriptionName } from '../../schema/event/event-type.ts';
import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { openStream } from './event-stream.ts';
import type { TestGateway } from './gateway.ts';
import { liveClient } from './live.ts';
import { ask, type Payload } from './mutate.ts';

/** One event as each transport delivered it to the same user. */
export interface DeliveredEvent {
  /** GraphQL over a WebSocket and over server-sent events: the value of the subscription's field. */
  socket: Payload;
  stream: Payload;
  /** `GET /realtime/<event>`: the envelope as text, from a stream and from a long poll. */
  rest: string;
  poll: string;
  /** `GET /webhook/<name>` with the server key: the body as text; null if the event has no webhook. */
  webhook: string | null;
}

export interface EventSelection {
  event: EventName;
  /** The user who subscribes. */
  as: string;
  /** The GraphQL selection of the event. */
  select: string;
}

/** Subscribes a user over every transport while `work` causes one event. @returns the event as each delivered it */
export async function deliverOverTransports(
  gateway: TestGateway,
  { event, as, select }: EventSelection,
  work: () => Promise<unknown>,
): Promise<DeliveredEvent> {
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }', { as });
  const query = `subscription ($after: String) { event: ${subscriptionName(event)}(after: $after) { ${select} } }`;
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
    const [delivered] = await socket.until(1);
    expect(socket.errors).toEqual([]);
    const [text] = await rest.until(1);
    return {
      socket: delivered,
      stream: data.event,
      rest: text!,
      poll: poll.text,
      webhook: pulling && (await pulling).text,
    };
  } finally {
    stream.stop();
    rest.stop();
    await live.close();
  }
}

/** Receives a webhook with the server key. @returns its body as text, from a stream and from a long poll */
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
