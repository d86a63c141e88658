import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify';
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

/** Structured logs on standard output, without query strings, which may contain a legacy token. */
export function loggerOptions(config: Config): NonNullable<FastifyServerOptions['logger']> {
  return {
    level: config.LOG_LEVEL,
    redact: { paths: SECRETS, censor: '[redacted]' },
    serializers: {
      req: (request) => ({ method: request.method, url: request.url.replace(/\?.*/s, ''), remoteAddress: request.ip }),
    },
  };
}

/** Logs two lines per outage, however many requests fail. */
export function logAvailability(log: Pick<FastifyBaseLogger, 'warn' | 'info'>): AvailabilityListener {
  return {
    onFailing({ message, reason, cause }) {
      log.warn({ reason, cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined }, message);
    },
    onRecovered: ({ seconds, failures }) =>
      log.info(
        { seconds, failures },
        'the database is available again; failed requests were counted, not logged individually',
      ),
  };
}

/** Logs errors that are masked towards clients, with the id that their answer contains. */
export function maskedErrorLog(log: Pick<FastifyBaseLogger, 'error'>): (error: Error) => string {
  return (error) => {
    const errorId = randomUUID();
    log.error({ err: error, errorId }, 'unexpected failure');
    return errorId;
  };
}
