import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Context, Viewer } from '../../context.ts';
import { unavailability } from '../../database-errors.ts';
import {
  extendMqttSession,
  type MqttConnectionKey,
  newMqttConnection,
  openMqttSession,
  removeCleanSession,
} from '../../domain/mqtt-session/mqtt-session.ts';
import { OperationError } from '../../errors.ts';
import type { LiveEvent } from '../../events/log.ts';
import { LIVE_LIMITS } from '../../limits/limits.ts';
import { createRateCounter, RATE_WINDOW_MS } from '../../limits/rate-counter.ts';
import { type OutgoingMessage, SocketOutbox } from '../socket-outbox.ts';
import type { LiveSession } from '../subscribers/live-sessions.ts';
import { CLOSE, type CloseCode } from './close-codes.ts';
import { type ConnectRefusal, isUsernameOf, refusalOfConnect, refusalOfError } from './connect-refusal.ts';
import type { MqttClients } from './mqtt-clients.ts';
import type { MqttNetwork } from './mqtt-network.ts';
import { createPacketQueue } from './packet-queue.ts';
import {
  CONNACK,
  connack,
  createPacketReader,
  type IConnectPacket,
  type ISubscribePacket,
  type IUnsubscribePacket,
  type Packet,
  PINGRESP,
  REFUSED,
  suback,
  unsuback,
} from './packets.ts';
import { createSessionTopics, type SessionTopics } from './session-topics.ts';

/** What a connection needs from the process. */
export interface MqttConnectionOptions {
  /** The viewer of a token. @throws {OperationError} UNAUTHORIZED, GLOBALLY_BANNED, UNAVAILABLE */
  authenticate(token: string | null): Promise<Viewer | null>;
  /** Acquires the quota of the user's connections. @throws {OperationError} RATE_LIMITED */
  acquireConnection(viewer: Viewer): () => void;
  /** Acquires the quota of the user's topics. @throws {OperationError} RATE_LIMITED */
  acquireTopic(viewer: Viewer): () => void;
  acquireSession(viewer: Viewer): LiveSession;
  contextOf(viewer: Viewer): Context;
  /** Runs work that ends with UNAVAILABLE when the database does not answer in time. */
  withDeadline<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Counts a subscription as a request of the client's address, and as a read of the user. @throws {OperationError} RATE_LIMITED */
  countOperation(viewer: Viewer | null): Promise<void>;
  /** Counts a CONNECT: as a read of its user, a failed one (null) as an invalid request of the address. @throws {OperationError} RATE_LIMITED */
  countConnect(viewer: Viewer | null): Promise<void>;
  /** Reports a packet that was answered. @param startedAt in `performance.now()` time */
  endOperation(packet: 'CONNECT' | 'SUBSCRIBE', startedAt: number, errorCode: string | null): void;
  networkOf(networkId: string): MqttNetwork;
  /** The message that publishes an event. */
  messageOf(topic: string, text: string): OutgoingMessage;
  takeOver: MqttClients['takeOver'];
  /** Renders the event that ended a session for its user, who is no longer authorized. */
  renderFinalEvent(network: MqttNetwork, session: LiveSession, live: LiveEvent): Promise<string | null>;
  /** Logs a failure that the client does not see. */
  warn(error: unknown): void;
}

export interface MqttConnection {
  /** Called at each heartbeat: ends a connection whose client is gone, and extends the session of any other. */
  onHeartbeat(): void;
}

interface Connected {
  session: LiveSession;
  network: MqttNetwork;
  topics: SessionTopics;
  /** Null without a client identifier: nothing is stored. */
  key: MqttConnectionKey | null;
}

/** Time in which the event that ends a session must arrive, before the connection is closed without it. */
const FINAL_EVENT_MS = 2_000;
/** Events that wait for CONNACK, which the database may delay. */
const MAX_PENDING_EVENTS = 100;
const WINDOW = `${RATE_WINDOW_MS / 1_000} s`;

/**
 * The protocol of one MQTT connection: MQTT 3.1.1 with QoS 0, without messages from clients. Packets are parsed and
 * written by `mqtt-packet`. See docs/reference/mqtt.md and docs/decisions/0026-mqtt-on-shared-rendering.md.
 */
export function createMqttConnection(
  socket: WebSocket,
  stream: Duplex,
  options: MqttConnectionOptions,
): MqttConnection {
  const outbox = new SocketOutbox(socket, stream);
  const packets = createRateCounter(LIVE_LIMITS.mqttPackets);
  const refusals = createRateCounter(LIVE_LIMITS.refusals);
  const closers: Array<() => void> = [];
  let connected: Connected | null = null;
  /** Events that arrived before CONNACK was sent. */
  const pendingEvents: OutgoingMessage[] = [];
  let isConnecting = false;
  let isClosed = false;
  let isAlive = true;
  let keepAliveMs = 0;
  let receivedAt = performance.now();
  let extendedAt = performance.now();

  const timer = setTimeout(() => close(CLOSE.policy), LIVE_LIMITS.initMs);
  closers.push(() => clearTimeout(timer));

  function close(code: CloseCode, reason = ''): void {
    if (isClosed) return;
    release();
    outbox.flush();
    socket.close(code, reason.slice(0, 120));
  }

  function release(): void {
    if (isClosed) return;
    isClosed = true;
    for (const closer of closers.splice(0)) closer();
  }

  /** Logs an unexpected failure; an outage is logged where it is detected. */
  function warn(error: unknown): void {
    if (!(error instanceof OperationError) && unavailability(error) === null) options.warn(error);
  }

  function send(bytes: Buffer): void {
    if (isClosed || socket.readyState !== socket.OPEN) return;
    outbox.flush();
    if (socket.bufferedAmount > LIVE_LIMITS.buffered) {
      release();
      socket.terminate();
    } else socket.send(bytes);
  }

  function sendEvent(message: OutgoingMessage): void {
    if (!isClosed && !outbox.push(message)) release();
  }

  const enqueue = createPacketQueue({
    onFull: () => socket.pause(),
    onSpace: () => socket.resume(),
    onError(error) {
      warn(error);
      close(CLOSE.unavailable);
    },
    isClosed: () => isClosed,
  });

  function handle(packet: Packet): void {
    receivedAt = performance.now();
    if (!packets.count()) return void close(CLOSE.flood, `At most ${LIVE_LIMITS.mqttPackets} packets per ${WINDOW}.`);
    if (packet.cmd === 'connect') {
      // Section 3.1: a second CONNECT is a protocol violation.
      if (isConnecting) return void close(CLOSE.protocol);
      isConnecting = true;
      return void enqueue(() => connect(packet));
    }
    if (!isConnecting) return void close(CLOSE.protocol);
    switch (packet.cmd) {
      case 'pingreq':
        return void (connected ? send(PINGRESP) : enqueue(async () => send(PINGRESP)));
      case 'subscribe':
        return void enqueue(() => subscribe(packet));
      case 'unsubscribe':
        return void enqueue(() => unsubscribe(packet));
      case 'disconnect':
        return void close(CLOSE.normal);
      default:
        // Clients publish nothing; section 3.3.5 has no refusal other than closing.
        return void close(packet.cmd === 'publish' ? CLOSE.policy : CLOSE.protocol);
    }
  }

  function refuse({ code, closeCode }: ConnectRefusal): void {
    send(connack(code));
    close(closeCode);
  }

  async function connect(packet: IConnectPacket): Promise<void> {
    const refusal = refusalOfConnect(packet);
    if (refusal) return refuse(refusal);
    const { clientId = '', clean: isClean = false } = packet;
    const startedAt = performance.now();
    try {
      const viewer = await options.authenticate(packet.password ? String(packet.password) : null);
      if (!viewer || !isUsernameOf(viewer, packet.username)) throw new OperationError('UNAUTHORIZED');
      if (isClosed) return;
      await options.countConnect(viewer);
      if (isClosed) return;
      await open(viewer, { clientId, isClean });
      keepAliveMs = (packet.keepalive ?? 0) * 1_000;
      clearTimeout(timer);
      options.endOperation('CONNECT', startedAt, null);
    } catch (failure) {
      const error = await countFailure(failure);
      warn(error);
      options.endOperation('CONNECT', startedAt, error instanceof OperationError ? error.errorName : 'UNAVAILABLE');
      refuse(refusalOfError(error));
    }
  }

  /** Counts a CONNECT that was not authorized. @returns the error to answer with, which beyond the limit is RATE_LIMITED */
  async function countFailure(error: unknown): Promise<unknown> {
    const name = error instanceof OperationError ? error.errorName : null;
    if (name !== 'UNAUTHORIZED' && name !== 'GLOBALLY_BANNED') return error;
    try {
      await options.countConnect(null);
      return error;
    } catch (exceeded) {
      return exceeded;
    }
  }

  async function open(viewer: Viewer, { clientId, isClean }: { clientId: string; isClean: boolean }): Promise<void> {
    const key = clientId === '' ? null : newMqttConnection(viewer, clientId);
    if (key) closers.push(options.takeOver(key, () => close(CLOSE.normal)));
    closers.push(options.acquireConnection(viewer));
    const session = options.acquireSession(viewer);
    closers.push(() => session.release());
    session.onEnd(endWith);
    const network = options.networkOf(viewer.networkId);
    const subscriber = network.join({
      session,
      publish: (topic, text) => publish(options.messageOf(topic, text)),
      onAccountEnded: (live, topic) => void sendFinalEvent(live, topic),
      onLost: () => close(CLOSE.unavailable),
    });
    closers.push(() => subscriber.close());
    const kept = key && (await options.withDeadline(() => openSession(viewer, key, isClean)));
    if (isClosed) return;
    const topics = createSessionTopics({
      networkId: viewer.networkId,
      connection: isClean ? null : key,
      subscriber,
      contextOf: () => options.contextOf(session.viewer),
      acquire: () => options.acquireTopic(session.viewer),
      withDeadline: options.withDeadline,
    });
    closers.push(topics.close);
    for (const topic of kept ?? []) await topics.restore(topic);
    send(connack(CONNACK.accepted, kept !== null));
    connected = { session, network, topics, key };
    for (const message of pendingEvents.splice(0)) sendEvent(message);
  }

  async function openSession(viewer: Viewer, key: MqttConnectionKey, isClean: boolean): Promise<string[] | null> {
    const kept = await openMqttSession(options.contextOf(viewer), key, { isClean });
    const remove = () => void removeCleanSession(options.contextOf(viewer), key).catch(warn);
    if (isClean && isClosed) remove();
    else if (isClean) closers.push(remove);
    return kept;
  }

  /** Section 3.2: the first packet is CONNACK. Events that arrive while topics are restored follow it. */
  function publish(message: OutgoingMessage): void {
    if (connected) sendEvent(message);
    else if (pendingEvents.push(message) > MAX_PENDING_EVENTS) close(CLOSE.unavailable);
  }

  async function subscribe({ messageId, subscriptions }: ISubscribePacket): Promise<void> {
    const startedAt = performance.now();
    const requested = subscriptions.map(({ topic }) => topic);
    const granted = await grant(requested);
    if (isClosed) return;
    const refused = requested.filter((topic) => !granted.has(topic));
    if (!refused.every(() => refusals.count())) {
      return void close(CLOSE.flood, `At most ${LIVE_LIMITS.refusals} refused topics per ${WINDOW}.`);
    }
    send(
      suback(
        messageId!,
        requested.map((topic) => (granted.has(topic) ? 0 : REFUSED)),
      ),
    );
    options.endOperation('SUBSCRIBE', startedAt, refused.length > 0 ? 'FORBIDDEN' : null);
  }

  /** A topic that cannot be checked now is refused like one that is not allowed; clients repeat it. */
  async function grant(requested: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      await options.countOperation(connected?.session.viewer ?? null);
      if (!connected) return new Set();
      const { session, topics } = connected;
      await options.withDeadline(async () => {
        await session.check();
        while (session.refreshing) await session.refreshing;
      });
      return await topics.grant(requested);
    } catch (error) {
      warn(error);
      return new Set();
    }
  }

  async function unsubscribe({ messageId, unsubscriptions }: IUnsubscribePacket): Promise<void> {
    await connected?.topics.revoke(unsubscriptions);
    send(unsuback(messageId!));
  }

  /** Ends the connection when its session ends. A banned user first receives the event that reports the ban. */
  function endWith(reason: OperationError): void {
    if (reason.errorName !== 'GLOBALLY_BANNED') return void close(CLOSE.unauthorized, reason.message);
    const waitingForEvent = setTimeout(() => close(CLOSE.banned, reason.message), FINAL_EVENT_MS);
    waitingForEvent.unref();
    closers.push(() => clearTimeout(waitingForEvent));
  }

  async function sendFinalEvent(live: LiveEvent, topic: string): Promise<void> {
    try {
      const text = connected && (await options.renderFinalEvent(connected.network, connected.session, live));
      if (text) sendEvent(options.messageOf(topic, text));
    } catch (error) {
      warn(error);
    }
    close(CLOSE.banned);
  }

  const reader = createPacketReader({
    maxBytes: LIVE_LIMITS.mqttPacketBytes,
    onPacket: handle,
    onInvalid: () => close(CLOSE.protocol),
    isClosed: () => isClosed,
  });
  socket.on('message', (data, isBinary) => {
    isAlive = true;
    // Section 6: packets are sent in binary frames.
    if (!isBinary) return close(CLOSE.text);
    reader.read(data as Buffer);
  });
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.once('close', release);

  return {
    onHeartbeat() {
      if (isClosed || !connected) return;
      const now = performance.now();
      // Section 3.1.2.10: one and a half times the interval of the client.
      const isSilent = keepAliveMs > 0 && now - receivedAt > 1.5 * keepAliveMs;
      if (!isAlive || isSilent) {
        release();
        socket.terminate();
        return;
      }
      isAlive = false;
      socket.ping();
      const { key, session } = connected;
      if (key === null || now - extendedAt < LIVE_LIMITS.mqttSessionMs / 4) return;
      extendedAt = now;
      extendMqttSession(options.contextOf(session.viewer), key).catch(warn);
    },
  };
}
