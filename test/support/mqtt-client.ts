import { randomUUID } from 'node:crypto';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterEach } from 'vitest';
import { WebSocket } from 'ws';
import type { TestGateway } from './gateway.ts';
import { waitFor } from './live.ts';

export interface MqttEvent {
  topic: string;
  id: string;
  eventType: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  data: any;
}

/** A client of the `mqtt` package that connects as published clients do. */
export interface TestMqttClient {
  client: MqttClient;
  socket: WebSocket;
  userInternalId: string;
  sessionPresent: boolean;
  events: MqttEvent[];
  /** Subscribes to topics after the network id; returns the codes of the SUBACK. */
  subscribe(...topics: string[]): Promise<number[]>;
  /** Resolves when `count` events have arrived. */
  until(count: number): Promise<MqttEvent[]>;
  /** Resolves when the connection is closed. */
  closed: Promise<void>;
  close(): Promise<void>;
}

export interface MqttClientOptions extends IClientOptions {
  /** The base URL of the gateway to connect to. @default the gateway's */
  url?: string;
  token?: string;
  /** Called with each packet of the gateway. */
  onPacket?(packet: { cmd: string }): void;
}

/** @throws with the return code as `code` when the gateway refuses the connection */
export async function mqttClient(
  gateway: TestGateway,
  as: string,
  { url = gateway.url, token, onPacket, ...options }: MqttClientOptions = {},
): Promise<TestMqttClient> {
  const { networkId, services } = gateway;
  const password = token ?? (await gateway.tokenOf(as));
  const user = await services.store.collections.users.findOne({ networkId, userId: as });
  const userInternalId = user?._id.toHexString() ?? internalIdOf(password);
  let socket!: WebSocket;
  const client = mqtt.connect(`${url.replace('http', 'ws')}/mqtt`, {
    clientId: `mqttjs_${randomUUID()}_${userInternalId}_tab`,
    clean: false,
    protocolVersion: 4,
    username: userInternalId,
    password,
    reconnectPeriod: 0,
    resubscribe: false,
    createWebsocket(address, protocols) {
      socket = new WebSocket(address, protocols);
      return socket;
    },
    ...options,
  });
  if (onPacket) client.on('packetreceive', onPacket);
  const events: MqttEvent[] = [];
  client.on('message', (topic, payload) => void events.push({ topic, ...JSON.parse(String(payload)) }));
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  const sessionPresent = await new Promise<boolean>((resolve, reject) => {
    client.once('connect', (packet) => resolve(packet.sessionPresent));
    client.once('error', reject);
    client.once('close', () => reject(new Error('The connection was closed.')));
  });
  client.on('error', () => undefined);
  return {
    client,
    socket,
    userInternalId,
    sessionPresent,
    events,
    async subscribe(...topics) {
      const granted: number[] = [];
      for (const topic of topics) {
        const filter = [networkId, topic].filter(Boolean).join('/');
        await new Promise<void>((resolve) => {
          client.subscribe(filter, { qos: 0 }, (_error, _grants, packet) => {
            granted.push(...((packet?.granted ?? []) as number[]));
            resolve();
          });
        });
      }
      return granted;
    },
    until: (count) => waitFor(() => events.length >= count).then(() => events),
    closed,
    close: () => client.endAsync(true),
  };
}

/** Registers a hook that closes the clients of each test. @returns connects a client, as {@link mqttClient} does */
export function useMqttClients(): typeof mqttClient {
  const open: TestMqttClient[] = [];
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close();
  });
  return async (gateway, as, options) => {
    const client = await mqttClient(gateway, as, options);
    open.push(client);
    return client;
  };
}

/** The internal id in an access token, for a visitor, who has no stored user. */
function internalIdOf(token: string): string {
  return JSON.parse(String(Buffer.from(token.split('.')[1]!, 'base64url'))).user.userId;
}
