import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestGateway } from './gateway.ts';

/** A TCP connection to a gateway on which the test writes every byte. It reads nothing before `resume`. */
export interface RawClient {
  socket: Socket;
  write(text: string | Uint8Array): void;
  /** Starts to read. */
  read(): { text: string };
  /** Resolves when the connection has ended, also by a reset. */
  closed: Promise<void>;
}

/** @param from source address, one of 127.0.0.0/8 @default 127.0.0.1 */
export async function rawClient({ url }: Pick<TestGateway, 'url'>, from = '127.0.0.1'): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => undefined);
  // Not `once`, which rejects after a reset: a server that closes with unread bytes resets the connection.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([once(socket, 'connect'), closed]);
  return {
    socket,
    write: (text) => void (socket.writable && socket.write(text)),
    read() {
      const received = { text: '' };
      socket.on('data', (chunk) => {
        received.text += chunk.toString();
      });
      return received;
    },
    closed,
  };
}

/** The number of open connections of the gateway's server. */
export function openConnections({ server }: Pick<TestGateway, 'server'>): Promise<number> {
  return new Promise((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** The text of an HTTP request. */
export function requestText(
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): string {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: 'x', ...length, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
