import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy that keeps answers to GET requests for a while, as a shared cache without invalidation would. */
export interface CachingProxy {
  url: string;
  close(): Promise<void>;
}

/** @param keyOf the cached answer of a request, which all requests with the same key get */
export async function startCachingProxy(
  target: string,
  {
    ttlMs,
    keyOf,
    afterWrite,
  }: {
    ttlMs: number;
    keyOf: (request: IncomingMessage) => string;
    /** Called before a write is acknowledged. */
    afterWrite?: () => void;
  },
): Promise<CachingProxy> {
  const kept = new Map<string, { until: number; status: number; body: string }>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const key = keyOf(request);
    const known = request.method === 'GET' ? kept.get(key) : undefined;
    if (known && known.until > performance.now()) {
      return response.writeHead(known.status, { 'content-type': 'application/json' }).end(known.body);
    }
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method!,
      headers: { authorization, 'content-type': type },
      body: sent.length > 0 ? sent : null,
    });
    const body = await answer.text();
    if (isWrite(request, sent)) afterWrite?.();
    if (request.method === 'GET' && ttlMs > 0)
      kept.set(key, { until: performance.now() + ttlMs, status: answer.status, body });
    return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function isWrite({ method, url }: IncomingMessage, body: Buffer): boolean {
  return method !== 'GET' && (url !== '/graphql' || body.includes('"query":"mutation'));
}
