import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context, Origin, Services } from '../../src/context.ts';
import { viewerOf } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { Charge } from '../../src/limits/rates/charge.ts';
import { READ } from '../../src/limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../../src/limits/request-deadline.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { UndeliverableEvent } from '../../src/realtime/rendering/undeliverable-event.ts';
import { sessionOfServerKey, watchServerKey } from '../../src/realtime/subscribers/service-session.ts';
import type { SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';
import { parseParams } from '../params.ts';
import type { EventRequest } from './event-request.ts';
import type { EventSerializer } from './event-serializer.ts';
import { streamEvents } from './event-stream.ts';
import { waitForNextEvent } from './long-poll.ts';
import { findNewestEvent } from './newest-event.ts';
import { realtimeParams } from './realtime-params.ts';
import { realtimeSpec, webhookSpec } from './subscription-specs.ts';

export interface RealtimeRestOptions {
  services: Services;
  realtime: Realtime;
  serializer: EventSerializer;
  withDeadline: RequestDeadline;
  contextOf(request: FastifyRequest): Promise<Context>;
  charge: Charge;
}

type Params = z.output<typeof realtimeParams>;

/**
 * `GET /realtime/<event>` for users, and `GET /webhook/<name>` for the application's server. Responds with a stream of
 * server-sent events if the client accepts it, else with one event. See docs/interface.md#event-stream.
 */
export function mountRealtime(server: FastifyInstance, options: RealtimeRestOptions): void {
  const { services, realtime, serializer, withDeadline, contextOf, charge } = options;
  const streams = new Set<() => void>();
  server.addHook('preClose', async () => {
    for (const end of [...streams]) end();
  });

  async function sendEvents(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      params,
      spec,
      ...rest
    }: { params: Params; spec: SubscriptionSpec } & Pick<EventRequest, 'session' | 'onEnd' | 'release'>,
  ): Promise<FastifyReply> {
    const events: EventRequest = { services, realtime, spec, ...rest };
    if (/\btext\/event-stream\b/.test(request.headers.accept ?? '')) {
      const last = request.headers['last-event-id'];
      // A reconnecting browser repeats the original URL; the header holds the last event it received.
      const after = typeof last === 'string' && last !== '' ? last : (params.after ?? null);
      return streamEvents(reply, events, { after, streams });
    }
    const answering =
      params.after === undefined
        ? withDeadline(() => findNewestEvent(events))
        : waitForNextEvent(events, { after: params.after, waitMs: params.wait * 1_000 });
    const answer = await answering.catch((error: unknown) => {
      // The cursor lets the client skip the undeliverable event.
      if (error instanceof UndeliverableEvent) reply.header('event-cursor', error.cursor);
      throw error;
    });
    reply.header('event-cursor', answer.cursor);
    if (answer.text === null) return reply.code(204).send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(answer.text);
  }

  // A HEAD request would open a stream that is neither read nor closed.
  const withoutHead = { exposeHeadRoute: false };
  server.get<{ Params: { '*': string } }>('/realtime/*', withoutHead, async (request, reply) => {
    const context = await withDeadline(() => contextOf(request));
    await charge(request, context, READ);
    const viewer = viewerOf(context);
    const params = paramsOf(request);
    const spec = realtimeSpec(serializer, request.params['*'], params.topic ?? null);
    const releaseQuota = realtime.connectionQuota.acquire(viewer);
    const session = realtime.sessions.acquire(viewer);
    const release = () => {
      session.release();
      releaseQuota();
    };
    return sendEvents(request, reply, {
      params,
      spec,
      session,
      release,
      onEnd: endedBy(request, (listener) => session.onEnd(listener)),
    }).catch((error: unknown) => {
      release();
      throw error;
    });
  });

  server.get<{ Params: { '*': string } }>('/webhook/*', withoutHead, async (request, reply) => {
    const serverKey = serverKeyOf(request);
    const origin: Origin = { transport: 'rest', address: request.ip };
    const session = await withDeadline(() => sessionOfServerKey(services, serverKey, origin));
    await charge(request, session, READ);
    const params = paramsOf(request);
    const spec = webhookSpec(serializer, request.params['*']);
    const release = realtime.connectionQuota.acquire(session.viewer);
    return sendEvents(request, reply, {
      params,
      spec,
      session,
      release,
      onEnd: endedBy(request, (listener) => watchServerKey(services, serverKey, listener)),
    }).catch((error: unknown) => {
      release();
      throw error;
    });
  });
}

/** Registers for the end of the session and of the connection, so that work for a disconnected client stops. */
function endedBy({ raw: { socket } }: FastifyRequest, onSessionEnd: EventRequest['onEnd']): EventRequest['onEnd'] {
  return (listener) => {
    const onClose = () => listener(new OperationError('UNAVAILABLE', { message: 'The client disconnected.' }));
    if (socket.destroyed) queueMicrotask(onClose);
    // One connection may carry many pipelined polls.
    socket.setMaxListeners(0);
    socket.once('close', onClose);
    const unregister = onSessionEnd(listener);
    return () => {
      socket.removeListener('close', onClose);
      unregister();
    };
  };
}

function paramsOf({ query }: FastifyRequest): Params {
  return parseParams(realtimeParams, { path: {}, query: query as Record<string, unknown>, body: undefined });
}

/** The server key, as a Bearer token or in `X-Server-Key`, see docs/interface.md#authentication. */
function serverKeyOf({ headers }: FastifyRequest): string | null {
  const own = headers['x-server-key'];
  if (typeof own === 'string' && own !== '') return own;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
