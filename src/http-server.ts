import { createServer, type RequestListener, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { OperationError } from './errors.ts';
import { isUpload } from './files/upload-doors.ts';
import { type ConnectionGuard, createConnectionGuard } from './limits/connections/guard-connections.ts';
import { createProxyCheck, plainAddress } from './limits/connections/trusted-proxies.ts';
import { CONNECTION_LIMITS } from './limits/limits.ts';

/** How often Node looks for requests whose headers or bodies take too long. */
const CHECK_MS = 1_000;
/** When the kernel first probes whether the peer of a silent connection still exists. */
const PROBE_MS = 60_000;
/** Answers from this size on are held as bytes, not as text, and counted at once. */
const LARGE_ANSWER = 65_536;

export interface HttpServerOptions {
  config: Pick<Config, 'CONNECTIONS_PER_ADDRESS' | 'TRUST_PROXY'>;
  /** The whole HTTP response to a connection beyond `CONNECTIONS_PER_ADDRESS`. */
  refusal: string;
  /** Logs what was ended, and why. */
  warn(details: object, message: string): void;
}

export interface HttpServer {
  guard: ConnectionGuard;
  serverFactory(handler: RequestListener): Server;
  /** Adds what the guard needs to know of requests and answers. */
  mount(server: FastifyInstance): void;
}

/** The HTTP server below Fastify, with the time-outs and bounds of `CONNECTION_LIMITS`. */
export function createHttpServer({ config, refusal, warn }: HttpServerOptions): HttpServer {
  const isProxy = createProxyCheck(config.TRUST_PROXY);
  const limit = config.CONNECTIONS_PER_ADDRESS;
  const warnOfRefusals = oncePerMinute((address: string) =>
    warn(
      { address, limit },
      'connections of an address are refused by CONNECTIONS_PER_ADDRESS; if it is a reverse proxy, name it in TRUST_PROXY',
    ),
  );
  const guard = createConnectionGuard({
    perAddress: limit,
    isProxy,
    isUpload,
    refusal,
    onCut: (cut) => warn({ cut }, 'connections were ended'),
    onRefused: warnOfRefusals,
  });

  function serverFactory(handler: RequestListener): Server {
    const { headersMs, keepAliveMs, uploadMs } = CONNECTION_LIMITS;
    const server = createServer(
      {
        headersTimeout: headersMs,
        // The longest that any request may take; the guard holds requests other than uploads to less.
        requestTimeout: uploadMs,
        keepAliveTimeout: keepAliveMs,
        connectionsCheckingInterval: CHECK_MS,
        keepAlive: true,
        keepAliveInitialDelay: PROBE_MS,
      },
      guard.oneAtATime(handler),
    );
    guard.watch(server);
    return server;
  }

  return {
    guard,
    serverFactory,
    mount(server) {
      countProxied(server, { limit, isProxy });
      server.addHook('onRequest', async ({ raw, ip }) => guard.setClient(raw.socket, plainAddress(ip)));
      server.addHook('onSend', async (_request, _reply, payload) => {
        const isText = typeof payload === 'string';
        if (!isText && !Buffer.isBuffer(payload)) return payload;
        if (payload.length < LARGE_ANSWER) return payload;
        guard.noteAnswer(payload.length);
        // Text would be copied for the socket while it is held itself.
        return isText ? Buffer.from(payload) : payload;
      });
      server.addHook('onClose', async () => guard.close());
    },
  };
}

/** Bounds what each client behind a trusted proxy has in progress: its requests, streams and websockets. */
function countProxied(
  server: FastifyInstance,
  { limit, isProxy }: { limit: number; isProxy: (address: string) => boolean },
): void {
  if (limit === 0) return;
  const counts = new Map<string, number>();
  server.addHook('onRequest', async ({ raw, ip, ws }, reply) => {
    if (!isProxy(plainAddress(raw.socket.remoteAddress))) return;
    const count = (counts.get(ip) ?? 0) + 1;
    if (count > limit) {
      const message = `At most ${limit} requests and connections of one address at a time (CONNECTIONS_PER_ADDRESS).`;
      throw new OperationError('RATE_LIMITED', { message });
    }
    counts.set(ip, count);
    const release = () => {
      const left = counts.get(ip)! - 1;
      if (left === 0) counts.delete(ip);
      else counts.set(ip, left);
    };
    if (ws) raw.socket.once('close', release);
    else reply.raw.once('close', release);
  });
}

function oncePerMinute<Value>(call: (value: Value) => void): (value: Value) => void {
  let next = 0;
  return (value) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 60_000;
    call(value);
  };
}
