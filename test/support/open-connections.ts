import { WebSocket } from 'ws';
import type { TestGateway } from './gateway.ts';
import { mqttClient } from './mqtt-client.ts';

/** The connections that a session can keep open, by transport; each is resolved when the gateway has closed it. */
export interface OpenConnections {
  closed: { readonly [transport in 'websocket' | 'eventStream' | 'mqtt']: Promise<void> };
  close(): Promise<void>;
}

interface Session {
  userId: string;
  token: string;
  /** @default the gateway's */
  url?: string;
}

/** Queries over REST and GraphQL with a token, then opens a connection of each kind. @throws if one refuses the token */
export async function openConnections(
  gateway: TestGateway,
  { userId, token, url = gateway.url }: Session,
): Promise<OpenConnections> {
  const headers = { authorization: `Bearer ${token}` };
  const rest = await fetch(`${url}/api/v3/sessions`, { headers });
  if (rest.status !== 200) throw new Error(`REST: ${rest.status}`);
  const graphql = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ viewer { userId } }' }),
  });
  const { data } = (await graphql.json()) as { data: { viewer: { userId: string } | null } | null };
  if (data?.viewer?.userId !== userId) throw new Error(`GraphQL: ${JSON.stringify(data)}`);

  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const socketClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: headers.authorization } })),
    );
    socket.once('message', (message) =>
      String(message).includes('connection_ack') ? resolve() : reject(new Error(String(message))),
    );
    socket.once('close', (code) => reject(new Error(`WebSocket: ${code}`)));
  });

  const aborted = new AbortController();
  const stream = await fetch(`${url}/realtime/post.created`, {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: aborted.signal,
  });
  if (stream.status !== 200) throw new Error(`Event stream: ${stream.status}`);
  const streamClosed = stream.text().then(
    () => undefined,
    () => undefined,
  );

  const mqtt = await mqttClient(gateway, userId, { token, url });
  return {
    closed: { websocket: socketClosed, eventStream: streamClosed, mqtt: mqtt.closed },
    async close() {
      socket.terminate();
      aborted.abort();
      await mqtt.close();
    },
  };
}

/** Whether REST, GraphQL and every kind of connection accept a token. */
export async function isAcceptedEverywhere(gateway: TestGateway, session: Session): Promise<boolean> {
  const connections = await openConnections(gateway, session);
  await connections.close();
  return true;
}
