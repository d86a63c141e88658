import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { createContext, type Services, type Viewer } from '../context.ts';
import { OperationError } from '../errors.ts';
import { LIVE_LIMITS } from '../limits/limits.ts';
import type { Charge } from '../limits/rates/charge.ts';
import { INVALID, READ } from '../limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../limits/request-deadline.ts';
import { type EndOperation, operationOf } from '../observe/requests.ts';
import { createMqttClients } from '../realtime/mqtt/mqtt-clients.ts';
import { createMqttConnection, type MqttConnection } from '../realtime/mqtt/mqtt-connection.ts';
import { createMqttNetwork, type MqttNetwork } from '../realtime/mqtt/mqtt-network.ts';
import { createPublishWriter } from '../realtime/mqtt/packets.ts';
import type { Realtime } from '../realtime/realtime.ts';
import type { SubscriptionSpec } from '../realtime/subscription-spec.ts';
import { MQTT_PROTOCOL, releaseUpgrade } from './websockets.ts';

export interface MqttOptions {
  services: Services;
  realtime: Realtime;
  withDeadline: RequestDeadline;
  /** HTTP status with which an upgrade is rejected; null if it is accepted. */
  refuseUpgrade(request: FastifyRequest): number | null;
  /** The viewer of a token. @throws {OperationError} UNAUTHORIZED, GLOBALLY_BANNED */
  authenticate(token: string | null, peer: { ip: string; stream: Socket }): Promise<Viewer | null>;
  /** Counts an operation against the rate limit of its client. @throws {OperationError} RATE_LIMITED */
  countOperation(peer: { ip: string }): Promise<void>;
  endOperation: EndOperation;
  charge: Charge;
  /** Renders the envelope of an event. */
  render: SubscriptionSpec['render'];
}

/** `/mqtt`: MQTT 3.1.1 over a WebSocket, see docs/reference/mqtt.md. */
export function mountMqtt(server: FastifyInstance, options: MqttOptions): void {
  const { services, realtime, withDeadline } = options;
  const connections = new Set<MqttConnection>();
  const networks = new Map<string, MqttNetwork>();
  const clients = createMqttClients(services.events);
  const messageOf = createPublishWriter();

  function networkOf(networkId: string): MqttNetwork {
    let network = networks.get(networkId);
    if (!network) {
      const { fanOut, memberships } = realtime;
      network = createMqttNetwork(networkId, { services, fanOut, memberships, render: options.render });
      networks.set(networkId, network);
    }
    return network;
  }

  function open(socket: WebSocket, request: FastifyRequest): void {
    if (socket.protocol !== MQTT_PROTOCOL)
      return void socket.close(1002, `The sub-protocol ${MQTT_PROTOCOL} is required.`);
    const peer = releaseUpgrade(socket, request);
    const connection = createMqttConnection(socket, peer.stream, {
      authenticate: (token) => options.authenticate(token, peer),
      acquireConnection: (viewer) => realtime.connectionQuota.acquire(viewer),
      acquireTopic: (viewer) => realtime.topicQuota.acquire(viewer),
      acquireSession: (viewer) => realtime.sessions.acquire(viewer),
      contextOf(viewer) {
        const deadline = performance.now() + services.config.DATABASE_TIMEOUT_MS;
        return createContext(services, viewer, undefined, deadline, undefined, null, {
          transport: 'mqtt',
          address: peer.ip,
        });
      },
      withDeadline,
      async countOperation(viewer) {
        await options.countOperation(peer);
        await options.charge(peer, { viewer }, READ);
      },
      countConnect: (viewer) => options.charge(peer, { viewer }, viewer ? READ : INVALID),
      endOperation: (packet, startedAt, errorCode) =>
        options.endOperation(operationOf('mqtt', packet), startedAt, errorCode),
      networkOf,
      messageOf,
      takeOver: clients.takeOver,
      renderFinalEvent(network, { viewer, rightsKey }, live) {
        const session = { viewer, rightsKey, refreshing: null, hasEnded: false };
        return realtime.fanOut.renderFor(network.spec, session, live);
      },
      warn: (err) => server.log.warn({ reqId: peer.reqId, err }, 'an MQTT packet could not be handled'),
    });
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  }

  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.onHeartbeat();
  }, LIVE_LIMITS.heartbeatMs);
  heartbeat.unref();
  server.addHook('onClose', async () => {
    clearInterval(heartbeat);
    clients.close();
  });

  server.route({
    method: 'GET',
    url: '/mqtt',
    config: { acceptsWebsockets: true },
    preHandler: async (request, reply) => {
      const refused = request.ws ? options.refuseUpgrade(request) : null;
      if (refused !== null) return reply.code(refused).send();
    },
    handler: async () => {
      throw new OperationError('BAD_REQUEST', {
        message: 'This path accepts WebSockets with the sub-protocol mqtt only.',
      });
    },
    wsHandler: open,
  });
}
