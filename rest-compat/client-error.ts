import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { OperationError } from '../src/errors.ts';
import { CONNECTION_LIMITS, limitExceeded } from '../src/limits/limits.ts';
import { errorBody } from './error-body.ts';

const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`;

/** Answers by the code of the error that Node reports for bytes that are no request, or arrive too slowly. */
const ANSWERS: { [code: string]: [status: number, message: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    `The request arrives too slowly: its headers may take ${seconds(CONNECTION_LIMITS.headersMs)}, and each KiB of its body ${seconds(CONNECTION_LIMITS.bodyMs)}.`,
  ],
  HPE_HEADER_OVERFLOW: [431, limitExceeded('headerBytes')],
};

/** Answers in the interface's form what never became a request, and ends the connection. */
export function sendClientError({ code = '' }: { code?: string }, socket: Socket, isAnswering: boolean): void {
  if (ending.has(socket)) return;
  const [status, message] = ANSWERS[code] ?? [400, 'The request could not be read.'];
  const isHeard = code !== 'ECONNRESET' && socket.writable && !isAnswering;
  if (!isHeard) {
    socket.destroy();
    return;
  }
  const answer = rawAnswer(status, 'BAD_REQUEST', message);
  if (code !== 'HPE_HEADER_OVERFLOW') {
    socket.write(answer);
    socket.destroy();
    return;
  }
  // The client may still be sending: a socket that is destroyed then is reset, and the answer with it.
  ending.add(socket);
  socket.end(answer);
  socket.resume();
  setTimeout(() => socket.destroy(), ENDING_MS).unref();
}

/** Sockets with an answer on its way whose client may still be sending. */
const ending = new WeakSet<Socket>();
const ENDING_MS = 1_000;

/** A whole HTTP response, for a connection that no request handler answers. */
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
