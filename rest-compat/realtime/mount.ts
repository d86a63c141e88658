import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context, Services } from '../../src/context.ts';
import { viewerOf } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { Guard } from '../../src/limits/request-deadline.ts';
import type { Program } from '../../src/realtime/program.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { serviceOfKey } from '../../src/realtime/service.ts';
import { UntoldEvent } from '../../src/realtime/untold-event.ts';
import { parseParams } from '../params.ts';
import { realtimeProgram, webhookProgram } from './listening.ts';
import { answerNext } from './long-poll.ts';
import { answerNewest } from './newest.ts';
import type { Poll } from './poll.ts';
import { realtimeParams } from './realtime-params.ts';
import { streamEvents } from './stream.ts';
import type { WrittenEvents } from './written-events.ts';

export interface RealtimeRestOptions {
  services: Services;
  realtime: Realtime;
  written: WrittenEvents;
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
    { asked, program, ...who }: { asked: Asked; program: Program } & Pick<Poll, 'session' | 'onEnd' | 'leave'>,
  ): Promise<FastifyReply> {
    const poll: Poll = { services, realtime, program, ...who };
    if (/\btext\/event-stream\b/.test(request.headers.accept ?? '')) {
      const last = request.headers['last-event-id'];
      // A browser that comes back asks for the same address again: what it heard since is in the header.
      const after = typeof last === 'string' && last !== '' ? last : (asked.after ?? null);
      return streamEvents(reply, poll, { after, streams });
    }
    const answering =
      asked.after === undefined
        ? guard(() => answerNewest(poll))
        : answerNext(poll, { after: asked.after, waitMs: asked.wait * 1_000 });
    const answer = await answering.catch((error: unknown) => {
      // Who polls goes on after what cannot be told.
      if (error instanceof UntoldEvent) reply.header('event-cursor', error.cursor);
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
    const program = realtimeProgram(written, request.params['*'], asked.topic ?? null);
    const giveBack = realtime.seats.take(viewer);
    const session = realtime.sessions.enter(viewer);
    const leave = () => {
      session.leave();
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
    const session = await guard(() => serviceOfKey(services, serverKeyOf(request)));
    const program = webhookProgram(written, request.params['*']);
    const leave = realtime.seats.take(session.viewer);
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
function endedBy({ raw: { socket } }: FastifyRequest, onSessionEnd: Poll['onEnd']): Poll['onEnd'] {
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
