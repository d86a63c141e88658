import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Config, ConfigError } from '../config.ts';
import { bearerToken } from '../lib/bearer-token.ts';
import { reportsOfAll } from './all-processes.ts';
import { CONTENT_TYPE, printMetrics } from './metrics/exposition.ts';

const PATH = '/metrics';

/** Serves `/metrics` on the gateway's port, for requests with `METRICS_TOKEN`; without it, the path does not exist. */
export function mountMetrics(server: FastifyInstance, config: Pick<Config, 'METRICS_PORT' | 'METRICS_TOKEN'>): void {
  if (config.METRICS_TOKEN === undefined || config.METRICS_PORT !== undefined) return;
  const isAuthorized = createTokenCheck(config.METRICS_TOKEN);
  server.get(PATH, async (request, reply) => {
    if (!isAuthorized(request.headers.authorization))
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .type('text/plain')
        .send('METRICS_TOKEN is required.\n');
    return reply.type(CONTENT_TYPE).send(printMetrics(await reportsOfAll('metrics')));
  });
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` of all processes on `METRICS_PORT`; null if it is not set.
 * @throws {ConfigError} when the port cannot be opened
 */
export async function startMetricsServer(
  config: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT' | 'METRICS_TOKEN'>,
): Promise<MetricsServer | null> {
  const { METRICS_HOST: host, METRICS_PORT: port, METRICS_TOKEN: token } = config;
  if (port === undefined) return null;
  const isAuthorized = token === undefined ? () => true : createTokenCheck(token);
  const server = createServer(({ method, url, headers }, response) => {
    const send = (status: number, text: string, type = 'text/plain') =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    if (url?.split('?')[0] !== PATH || (method !== 'GET' && method !== 'HEAD')) return send(404, 'Not found.\n');
    if (!isAuthorized(headers.authorization)) {
      response.setHeader('www-authenticate', 'Bearer');
      return send(401, 'METRICS_TOKEN is required.\n');
    }
    reportsOfAll('metrics').then(
      (reports) => send(200, printMetrics(reports), CONTENT_TYPE),
      () => send(500, 'The metrics could not be read.\n'),
    );
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', (error) => failed(new ConfigError(`METRICS_PORT ${port} on ${host}: ${error.message}`)));
    server.listen(port, host, listening);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Describes a `METRICS_PORT` that other machines can read without a token: at most one line. */
export function openMetrics({
  METRICS_HOST: host,
  METRICS_PORT: port,
  METRICS_TOKEN: token,
}: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT' | 'METRICS_TOKEN'>): string[] {
  if (port === undefined || token !== undefined || isLoopback(host)) return [];
  return [`METRICS_PORT is open on ${host} without a token: set METRICS_TOKEN, unless a firewall protects the port`];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

/** Compares digests, so that the time does not depend on the token. */
function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (authorization) => {
    const given = bearerToken(authorization);
    return given !== null && timingSafeEqual(digest(given), expected);
  };
}
