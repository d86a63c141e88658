import { createServer, type RequestListener, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { OperationError } from '../errors.ts';
import { isUpload } from '../files/upload-paths.ts';
import { acceptBursts } from '../limits/connections/accept-bursts.ts';
import { clientKeyOf } from '../limits/connections/client-key.ts';
import {
  type ConnectionGuard,
  createConnectionGuard,
  type EndedConnections,
  type EndReason,
  type RefusalReason,
} from '../limits/connections/connection-guard.ts';
import { createProxyCheck, plainAddress } from '../limits/connections/trusted-proxies.ts';
import { CONNECTION_LIMITS, HTTP_LIMITS } from '../limits/limits.ts';

/** How often Node looks for requests whose headers or bodies take too long. */
const CHECK_MS = 1_000;
/** Silence on a connection after which the kernel probes whether the peer still exists. */
const PROBE_MS = 60_000;
/** Answers of at least this size are converted to bytes and counted immediately. */
const LARGE_ANSWER = 65_536;

/** Connections that are no WebSockets: the default of `CONNECTION_LIMIT` is their sum with `SOCKET_LIMIT`. */
const OTHER_CONNECTIONS = 5_000;
const MINUTE_MS = 60_000;

export interface HttpServerOptions {
  config: Pick<Config, 'CONNECTIONS_PER_ADDRESS' | 'CONNECTION_LIMIT' | 'SOCKET_LIMIT' | 'TRUST_PROXY'>;
  /** Formats the whole HTTP response to a connection that is refused. */
  refusal(status: 429 | 503, message: string): string;
  /** Logs which connections were ended, and why. */
  warn(details: object, message: string): void;
}

export interface HttpServer {
  connectionGuard: ConnectionGuard;
  serverFactory(handler: RequestListener): Server;
  /** Adds hooks that report requests and answers to the connection guard. */
  mount(server: FastifyInstance): void;
}

/** The HTTP server below Fastify, with the time-outs and bounds of `CONNECTION_LIMITS`. */
export function createHttpServer({ config, refusal, warn }: HttpServerOptions): HttpServer {
  const isProxy = createProxyCheck(config.TRUST_PROXY);
  const limit = config.CONNECTIONS_PER_ADDRESS;
  const total = config.CONNECTION_LIMIT ?? config.SOCKET_LIMIT + OTHER_CONNECTIONS;
  const warnOfRefusals: Record<RefusalReason, (client: string) => void> = {
    perAddress: oncePerMinute((address) =>
      warn(
        { address, limit },
        'connections of an address are refused by CONNECTIONS_PER_ADDRESS; if it is a reverse proxy, name it in TRUST_PROXY',
      ),
    ),
    total: oncePerMinute(() => warn({ limit: total }, 'connections are refused by CONNECTION_LIMIT')),
  };
  const endedLog = createEndedLog((ended) => warn({ cut: ended }, 'connections were ended'));
  const connectionGuard = createConnectionGuard({
    perAddress: limit,
    total,
    isProxy,
    isUpload,
    refusals: {
      perAddress: refusal(429, `At most ${limit} connections of one address (CONNECTIONS_PER_ADDRESS).`),
      total: refusal(503, `At most ${total} connections at a time (CONNECTION_LIMIT).`),
    },
    onEnded: endedLog.add,
    onRefused: (reason, client) => warnOfRefusals[reason](client),
  });

  function serverFactory(handler: RequestListener): Server {
    const { headersMs, keepAliveMs, uploadMs } = CONNECTION_LIMITS;
    const server = createServer(
      {
        maxHeaderSize: HTTP_LIMITS.headerBytes,
        headersTimeout: headersMs,
        // The limit of uploads; the connection guard ends other requests earlier.
        requestTimeout: uploadMs,
        keepAliveTimeout: keepAliveMs,
        connectionsCheckingInterval: CHECK_MS,
        keepAlive: true,
        keepAliveInitialDelay: PROBE_MS,
      },
      connectionGuard.oneAtATime(handler),
    );
    acceptBursts(server);
    connectionGuard.watch(server);
    return server;
  }

  return {
    connectionGuard,
    serverFactory,
    mount(server) {
      if (config.TRUST_PROXY) countProxied(server, { limit, isProxy });
      // Hooks with callbacks: each asynchronous one would cost every request a promise and a turn of the microtasks.
      server.addHook('onRequest', ({ raw, ip }, _reply, done) => {
        connectionGuard.setClient(raw.socket, ip);
        done();
      });
      server.addHook('onSend', (_request, _reply, payload, done) => {
        const isText = typeof payload === 'string';
        if ((!isText && !Buffer.isBuffer(payload)) || payload.length < LARGE_ANSWER) return done(null, payload);
        connectionGuard.countAnswer(payload.length);
        // The socket would hold a second copy of a text.
        done(null, isText ? Buffer.from(payload) : payload);
      });
      server.addHook('onClose', async () => {
        connectionGuard.close();
        endedLog.close();
      });
    },
  };
}

/** Bounds the requests, streams and WebSockets in progress of each client behind a trusted proxy. */
function countProxied(
  server: FastifyInstance,
  { limit, isProxy }: { limit: number; isProxy: (address: string) => boolean },
): void {
  if (limit === 0) return;
  const counts = new Map<string, number>();
  server.addHook('onRequest', ({ raw, ip, ws }, reply, done) => {
    if (!isProxy(plainAddress(raw.socket.remoteAddress))) return done();
    const client = clientKeyOf(ip);
    const count = (counts.get(client) ?? 0) + 1;
    if (count > limit) {
      const message = `At most ${limit} requests and connections of one address at a time (CONNECTIONS_PER_ADDRESS).`;
      throw new OperationError('RATE_LIMITED', { message });
    }
    counts.set(client, count);
    const release = () => {
      const left = counts.get(client)! - 1;
      if (left === 0) counts.delete(client);
      else counts.set(client, left);
    };
    if (ws) raw.socket.once('close', release);
    else reply.raw.once('close', release);
    done();
  });
}

function oncePerMinute(call: (client: string) => void): (client: string) => void {
  let next = 0;
  return (client) => {
    const now = performance.now();
    if (now < next) return;
    next = now + MINUTE_MS;
    call(client);
  };
}

/** Logs the first ended connections immediately, and further ones as totals per minute. */
function createEndedLog(log: (ended: EndedConnections) => void): { add(ended: EndedConnections): void; close(): void } {
  let sums: EndedConnections = {};
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    timer = null;
    if (Object.keys(sums).length === 0) return;
    log(sums);
    sums = {};
    timer = setTimeout(flush, MINUTE_MS).unref();
  };
  return {
    add(ended) {
      for (const [reason, count] of Object.entries(ended) as Array<[EndReason, number]>)
        sums[reason] = (sums[reason] ?? 0) + count;
      if (!timer) flush();
    },
    close() {
      if (timer) clearTimeout(timer);
      flush();
      if (timer) clearTimeout(timer);
    },
  };
}
