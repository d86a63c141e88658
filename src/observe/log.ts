import { randomUUID } from 'node:crypto';
import { type FastifyBaseLogger, type FastifyServerOptions, LogController } from 'fastify';
import type { Config } from '../config.ts';
import type { AvailabilityListener } from '../store/availability.ts';

/** Header and field names whose values never reach the log. */
const SECRETS = [
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-api-key"]',
  'req.headers["x-server-key"]',
  'req.headers["x-admin-token"]',
  '*.authToken',
  '*.accessToken',
];

/** Structured logs on standard output; queries strings are cut off, since a legacy token may stand there. */
export function loggerOptions(config: Config): NonNullable<FastifyServerOptions['logger']> {
  return {
    level: config.LOG_LEVEL,
    redact: { paths: SECRETS, censor: '[redacted]' },
    serializers: {
      req: (request) => ({ method: request.method, url: request.url.replace(/\?.*/s, ''), remoteAddress: request.ip }),
    },
  };
}

/** Two lines a request, written at once, cost as much as several reads: only whoever debugs wants them. */
export function logController({ LOG_LEVEL }: Config): LogController {
  return new LogController({ disableRequestLogging: LOG_LEVEL !== 'debug' && LOG_LEVEL !== 'trace' });
}

/** Two lines an outage, however many requests it costs. */
export function logAvailability(log: Pick<FastifyBaseLogger, 'warn' | 'info'>): AvailabilityListener {
  return {
    onFailing({ message, reason, cause }) {
      log.warn({ reason, cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined }, message);
    },
    onRecovered: ({ seconds, failures }) =>
      log.info({ seconds, failures }, 'the database serves again; failures are counted, not logged one by one'),
  };
}

/** Logs what is masked towards clients, under an id that their answer carries. */
export function maskedErrorLog(log: Pick<FastifyBaseLogger, 'error'>): (error: Error) => string {
  return (error) => {
    const errorId = randomUUID();
    log.error({ err: error, errorId }, 'unexpected failure');
    return errorId;
  };
}
