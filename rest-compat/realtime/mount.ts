import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context, Services } from '../../src/context.ts';
import { viewerOf } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { Guard } from '../../src/limits/request-deadline.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { UndeliverableEvent } from '../../src/realtime/rendering/undeliverable-event.ts';
import { sessionOfServerKey } from '../../src/realtime/subscribers/service-session.ts';
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
  written: EventSerializer;
  guard: Guard;
  contextOf(request: FastifyRequest): Promise<Context>;
}

type Asked = z.output<typeof realtimeParams>;

/**
 * `GET /realtime/<event>` for whoever is signed in and `GET /webhook/<name>` for the application's own server: a stream
 * of server-sent events for those who take one, else one event a request (interface §6).
 */
export function mountRealtime(server: FastifyInstance, options: RealtimeRestOptions): void {
  const { services, realtime, written, guard, contextOf } = options;
  const streams = new Set<() => void>();
  server.addHook('preClose', async () => {
    for (const end of [...streams]) end();
  });

  async function listen(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      asked,
      program,
      ...who
    }: { asked: Asked; program: SubscriptionSpec } & Pick<EventRequest, 'session' | 'onEnd' | 'leave'>,
  ): Promise<FastifyReply> {
    const poll: EventRequest = { services, realtime, program, ...who };
    if (/\btext\/event-stream\b/.test(request.headers.accept ?? '')) {
      const last = request.headers['last-event-id'];
      // A browser that comes back asks for the same address again: what it heard since is in the header.
      const after = typeof last === 'string' && last !== '' ? last : (asked.after ?? null);
      return streamEvents(reply, poll, { after, streams });
    }
    const answering =
      asked.after === undefined
        ? guard(() => findNewestEvent(poll))
        : waitForNextEvent(poll, { after: asked.after, waitMs: asked.wait * 1_000 });
    const answer = await answering.catch((error: unknown) => {
      // Who polls goes on after what cannot be told.
      if (error instanceof UndeliverableEvent) reply.header('event-cursor', error.cursor);
      throw error;
    });
    reply.header('event-cursor', answer.cursor);
    if (answer.text === null) return reply.code(204).send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(answer.text);
  }

  // A HEAD would be answered by a stream that nobody reads, and that nobody ends.
  const alone = { exposeHeadRoute: false };
  server.get<{ Params: { '*': string } }>('/realtime/*', alone, async (request, reply) => {
    const viewer = viewerOf(await guard(() => contextOf(request)));
    const asked = askedOf(request);
    const program = realtimeSpec(written, request.params['*'], asked.topic ?? null);
    const giveBack = realtime.connectionQuota.acquire(viewer);
    const session = realtime.sessions.acquire(viewer);
    const leave = () => {
      session.release();
      giveBack();
    };
    return listen(request, reply, {
      asked,
      program,
      session,
      leave,
      onEnd: endedBy(request, (listener) => session.onEnd(listener)),
    }).catch((error: unknown) => {
      leave();
      throw error;
    });
  });

  server.get<{ Params: { '*': string } }>('/webhook/*', alone, async (request, reply) => {
    const session = await guard(() => sessionOfServerKey(services, serverKeyOf(request)));
    const program = webhookSpec(written, request.params['*']);
    const leave = realtime.connectionQuota.acquire(session.viewer);
    return listen(request, reply, {
      asked: askedOf(request),
      program,
      session,
      leave,
      onEnd: endedBy(request, () => () => undefined),
    }).catch((error: unknown) => {
      leave();
      throw error;
    });
  });
}

/** Ends with the connection too: what nobody waits for is not looked for. */
function endedBy({ raw: { socket } }: FastifyRequest, onSessionEnd: EventRequest['onEnd']): EventRequest['onEnd'] {
  return (listener) => {
    const leave = () => listener(new OperationError('UNAVAILABLE', { message: 'The client has gone.' }));
    if (socket.destroyed) queueMicrotask(leave);
    // One connection may carry many polls, asked for one behind the other.
    socket.setMaxListeners(0);
    socket.once('close', leave);
    const forget = onSessionEnd(listener);
    return () => {
      socket.removeListener('close', leave);
      forget();
    };
  };
}

function askedOf({ query }: FastifyRequest): Asked {
  return parseParams(realtimeParams, { path: {}, query: query as Record<string, unknown>, body: undefined });
}

/** As a Bearer token (interface §5), or in the header of its own. */
function serverKeyOf({ headers }: FastifyRequest): string | null {
  const own = headers['x-server-key'];
  if (typeof own === 'string' && own !== '') return own;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
