import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Executor } from '../../schema/execute.ts';
import { createMessageQueue } from '../../schema/subscriptions/message-queue.ts';
import { closeFor } from '../../schema/subscriptions/socket-connection.ts';
import type { Context, Viewer } from '../../src/context.ts';
import type { Explain } from '../../src/database-errors.ts';
import { OperationError } from '../../src/errors.ts';
import { toOperationError } from '../../src/http/to-operation-error.ts';
import type { Admission } from '../../src/limits/admission.ts';
import { exceededByJson } from '../../src/limits/json-limits.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { Charge } from '../../src/limits/rates/charge.ts';
import type { RequestDeadline } from '../../src/limits/request-deadline.ts';
import { type EndOperation, operationOf } from '../../src/observe/requests.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { prepareRoute } from '../answer.ts';
import { errorBody } from '../error-body.ts';
import { CALLS } from './calls.ts';
import { acknowledgement, type ClientPacket, handshake, parsePacket, pong } from './packets.ts';

export interface SocketIoOptions {
  executor: Executor;
  realtime: Realtime;
  admission: Admission;
  withDeadline: RequestDeadline;
  explain: Explain;
  /** HTTP status with which an upgrade is rejected; null if it is accepted. */
  refuseUpgrade(request: FastifyRequest): number | null;
  /** The viewer of a token. @throws {OperationError} UNAUTHORIZED, GLOBALLY_BANNED */
  authenticate(token: string | null, peer: { ip: string; stream: Socket }): Promise<Viewer | null>;
  contextOf(token: string, request: FastifyRequest): Promise<Context>;
  charge: Charge;
  /** Counts an operation against the rate limit of its client. @throws {OperationError} RATE_LIMITED */
  countOperation(peer: { ip: string }): Promise<void>;
  endOperation: EndOperation;
}

/**
 * `/socket.io/`: the calls of published clients of version 6.9, over WebSockets only. See docs/interface.md#socketio.
 */
export function mountSocketIo(server: FastifyInstance, options: SocketIoOptions): void {
  const answers = new Map([...CALLS].map(([event, route]) => [event, prepareRoute(options.executor, route)]));

  /** Answers like the route over HTTP, in the envelope of the socket. */
  async function answer(
    { name, data }: Extract<ClientPacket, { type: 'event' }>,
    { token, request, onLimit }: { token: string; request: FastifyRequest; onLimit(): void },
  ): Promise<object> {
    const slot = options.admission();
    const startedAt = performance.now();
    const operation = operationOf('socket-io', answers.has(name) ? name : 'other');
    let errorCode: string | null = null;
    try {
      await options.countOperation(request);
      const call = answers.get(name);
      if (!call) throw new OperationError('NOT_FOUND', { message: `There is no call ${name}.` });
      return await options.withDeadline(async () => {
        const context = await options.contextOf(token, request);
        context.reads.slot = slot;
        await options.charge(request, context, call.usage());
        if (!context.viewer) throw new OperationError('UNAUTHORIZED');
        return { status: 'success', data: await call.answer({ path: {}, query: {}, body: data }, context) };
      });
    } catch (error) {
      const failed = options.explain(error as FastifyError) ?? (error as FastifyError);
      const answered = toOperationError(failed, request);
      errorCode = answered.errorName;
      if (errorCode === 'RATE_LIMITED') onLimit();
      return errorBody(answered);
    } finally {
      options.endOperation(operation, startedAt, errorCode);
      slot.close();
    }
  }

  async function open(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { token } = request.query as { token?: unknown };
    const closers: Array<() => void> = [];
    socket.once('close', () => {
      for (const close of closers) close();
    });
    const frames: string[] = [];
    const hold = (data: unknown) => void frames.push(String(data));
    socket.pause();
    socket.on('message', hold);
    try {
      const viewer =
        typeof token === 'string'
          ? await options.authenticate(token, { ip: request.ip, stream: request.raw.socket })
          : null;
      if (!viewer) throw new OperationError('UNAUTHORIZED');
      if (socket.readyState !== socket.OPEN) return;
      closers.push(options.realtime.connectionQuota.acquire(viewer));
      const session = options.realtime.sessions.acquire(viewer);
      closers.push(() => session.release());
      session.onEnd((reason) => closeFor(socket, reason));
    } catch (error) {
      const reason = error instanceof OperationError ? error : new OperationError('UNAVAILABLE');
      if (reason.errorName === 'UNAVAILABLE') socket.close(1013, 'Try again later');
      else closeFor(socket, reason);
      return;
    }
    const queue = serve(socket, request, token as string);
    closers.push(() => queue.clear());
    socket.off('message', hold);
    for (const frame of frames) queue.push(frame);
    socket.on('message', (data) => queue.push(String(data)));
    socket.resume();
  }

  /** @returns the messages of the client */
  function serve(socket: WebSocket, request: FastifyRequest, token: string): ReturnType<typeof createMessageQueue> {
    let inProgress = 0;
    const send = (text: string) => {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > LIVE_LIMITS.buffered) socket.terminate();
      else socket.send(text);
    };
    const pings = { pingInterval: LIVE_LIMITS.heartbeatMs, pingTimeout: LIVE_LIMITS.heartbeatMs };
    const silence = setTimeout(() => socket.terminate(), pings.pingInterval + pings.pingTimeout);
    socket.once('close', () => clearTimeout(silence));
    for (const packet of handshake({ sid: randomUUID(), ...pings })) send(packet);

    async function call(packet: Extract<ClientPacket, { type: 'event' }>): Promise<void> {
      // An event without an acknowledgement has no effect here.
      if (packet.ackId === null) return;
      if (inProgress >= LIVE_LIMITS.operations) {
        queue.countRefusal();
        return send(acknowledgement(packet.ackId, errorBody(new OperationError('RATE_LIMITED'))));
      }
      inProgress += 1;
      send(
        acknowledgement(packet.ackId, await answer(packet, { token, request, onLimit: () => queue.countRefusal() })),
      );
      inProgress -= 1;
    }

    const queue = createMessageQueue({
      handle(text) {
        silence.refresh();
        const packet = exceededByJson(text) ? null : parsePacket(text);
        if (packet === null) return socket.close(1002, 'Invalid packet');
        if (packet.type === 'ping') send(pong(packet.payload));
        else if (packet.type === 'close') socket.close(1000);
        else if (packet.type === 'event') void call(packet);
      },
      onFull: () => socket.pause(),
      onSpace: () => socket.resume(),
      onFlood: (reason) => socket.close(4429, reason),
    });
    return queue;
  }

  server.route({
    method: 'GET',
    url: '/socket.io/',
    config: { acceptsWebsockets: true },
    preHandler: async (request, reply) => {
      const refused = request.ws ? options.refuseUpgrade(request) : null;
      if (refused !== null) return reply.code(refused).send();
    },
    handler: async () => {
      throw new OperationError('BAD_REQUEST', { message: 'This path accepts WebSockets only.' });
    },
    wsHandler: (socket, request) => void open(socket, request),
  });
}
