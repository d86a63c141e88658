import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FastifyBaseLogger, LogController } from 'fastify';
import type { Config } from '../config.ts';
import { requestErrors, requestSeconds } from './metrics/definitions.ts';
import type { HistogramValue } from './metrics/registry.ts';

export type Transport = 'rest' | 'graphql' | 'graphql-ws' | 'mqtt' | 'socket-io' | 'http';

/** An operation of the interface over one transport. */
export interface Operation {
  transport: Transport;
  /** A route such as `GET /api/v3/posts/:postId`, a root field of GraphQL, or the name of a packet: never free text. */
  name: string;
  seconds: HistogramValue;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by routes whose operations have a name; the route itself by default. */
    operation: Operation | null;
    /** Code of the error that the answer contains. */
    errorCode: string | null;
  }
}

// Module state, like the metrics that it names.
const operations = new Map<Transport, Map<string, Operation>>();

/** The operation of this name, of which there is one in the process. */
export function operationOf(transport: Transport, name: string): Operation {
  let byName = operations.get(transport);
  if (!byName) {
    byName = new Map();
    operations.set(transport, byName);
  }
  let operation = byName.get(name);
  if (!operation) {
    operation = { transport, name, seconds: requestSeconds.with(transport, name) };
    byName.set(name, operation);
  }
  return operation;
}

/** @param seconds from the arrival of the request to the end of the answer */
function count({ transport, name, seconds: histogram }: Operation, seconds: number, errorCode: string | null): void {
  histogram.observe(seconds);
  if (errorCode !== null) requestErrors.with(transport, name, errorCode).add();
}

/** Requests that no route accepts, as one operation. */
const UNKNOWN = 'other';

function routeOf({ is404, method, routeOptions }: FastifyRequest): Operation {
  return operationOf('http', is404 || !routeOptions.url ? UNKNOWN : `${method} ${routeOptions.url}`);
}

type AccessLogConfig = Pick<Config, 'ACCESS_LOG' | 'LOG_LEVEL'>;

/** The level of the access log; null if it is off. */
function accessLevel({ ACCESS_LOG, LOG_LEVEL }: AccessLogConfig): 'info' | 'debug' | null {
  if (ACCESS_LOG) return 'info';
  return LOG_LEVEL === 'debug' || LOG_LEVEL === 'trace' ? 'debug' : null;
}

/**
 * Counts every HTTP request when its answer has ended, and writes the access log. Fastify calls it without a hook of its
 * own, which would cost each request more than the counting.
 */
export class RequestLog extends LogController {
  readonly #level: ReturnType<typeof accessLevel>;

  constructor(config: AccessLogConfig) {
    super({ disableRequestLogging: true });
    this.#level = accessLevel(config);
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const operation = request.operation ?? routeOf(request);
    const { statusCode, elapsedTime } = reply;
    const errorCode = request.errorCode ?? (error || statusCode >= 400 ? String(statusCode) : null);
    count(operation, elapsedTime / 1_000, errorCode);
    if (this.#level === null) return;
    request.log[this.#level](
      {
        req: request,
        operation: operation.name,
        transport: operation.transport,
        status: statusCode,
        ...(errorCode !== null && { errorCode }),
        ms: Math.round(elapsedTime * 10) / 10,
      },
      'request',
    );
  }
}

/**
 * Counts and logs an operation on a WebSocket when it has been answered.
 * @param startedAt in `performance.now()` time
 */
export type EndOperation = (operation: Operation, startedAt: number, errorCode: string | null) => void;

export function createOperationLog(config: AccessLogConfig, log: FastifyBaseLogger): EndOperation {
  const level = accessLevel(config);
  return (operation, startedAt, errorCode) => {
    const ms = performance.now() - startedAt;
    count(operation, ms / 1_000, errorCode);
    if (level === null) return;
    const { name, transport } = operation;
    log[level](
      { operation: name, transport, ...(errorCode !== null && { errorCode }), ms: Math.round(ms * 10) / 10 },
      'request',
    );
  };
}
