import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { deliveryProblems } from '../support/asyncapi.ts';

export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/** Answers a request. */
export type Answering = (request: Received, response: http.ServerResponse) => void | Promise<void>;

export interface Receiver {
  url: string;
  port: number;
  /** The received requests, in order. */
  received: Received[];
  /** Replaces how requests are answered; initially with 200 and an empty object. */
  answer(how: Answering): void;
  close(): Promise<void>;
}

export const OK: Answering = (_, response) => void response.setHeader('content-type', 'application/json').end('{}');
export const status =
  (code: number, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    void response.writeHead(code, headers).end(`status ${code}`);

/** Starts a local HTTP server that receives webhooks. */
export async function startReceiver(first: Answering = OK): Promise<Receiver> {
  const received: Received[] = [];
  const problems: string[] = [];
  let answering = first;
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one: Received = {
      method: request.method!,
      path: request.url!,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString('utf8'),
      at: performance.now(),
    };
    received.push(one);
    problems.push(...deliveryProblems(one.headers, one.body));
    await answering(one, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answer(how) {
      answering = how;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      // Every received request conforms to the AsyncAPI document.
      expect(problems).toEqual([]);
    },
  };
}
