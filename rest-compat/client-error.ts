import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { OperationError } from '../src/errors.ts';
import { CONNECTION_LIMITS, limitExceeded } from '../src/limits/limits.ts';
import { errorBody } from './error-body.ts';

const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`;

/** Responses by the code of Node's `clientError` event. */
const RESPONSES: { [code: string]: [status: number, message: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    `The request arrives too slowly: its headers may take ${seconds(CONNECTION_LIMITS.headersMs)}, each KiB of its body ${seconds(CONNECTION_LIMITS.bodyMs)}.`,
  ],
  HPE_HEADER_OVERFLOW: [431, limitExceeded('headerBytes')],
};

/** Answers bytes that are not an HTTP request with the error body of the interface, then closes the connection. */
export function sendClientError({ code = '' }: { code?: string }, socket: Socket, isAnswering: boolean): void {
  if (closing.has(socket)) return;
  const [status, message] = RESPONSES[code] ?? [400, 'The request could not be read.'];
  const canAnswer = code !== 'ECONNRESET' && socket.writable && !isAnswering;
  if (!canAnswer) {
    socket.destroy();
    return;
  }
  const response = rawAnswer(status, 'BAD_REQUEST', message);
  if (code !== 'HPE_HEADER_OVERFLOW') {
    socket.write(response);
    socket.destroy();
    return;
  }
  // Destroying a socket while the client sends resets the connection, and the client may lose the response.
  closing.add(socket);
  socket.end(response);
  socket.resume();
  setTimeout(() => socket.destroy(), CLOSING_MS).unref();
}

/** Sockets that were answered and whose client may still be sending. */
const closing = new WeakSet<Socket>();
const CLOSING_MS = 1_000;

/** A complete HTTP response for a connection without a request handler. */
export function rawAnswer(
  status: number,
  name: 'BAD_REQUEST' | 'RATE_LIMITED' | 'UNAVAILABLE',
  message: string,
): string {
  const body = JSON.stringify(errorBody(new OperationError(name, { message })));
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}
