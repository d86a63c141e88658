import { WebSocket } from 'ws';
import { waitFor } from './live.ts';

/** A WebSocket on which the test writes every frame. */
export interface RawSocket {
  socket: WebSocket;
  /** The received messages, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  messages: any[];
  /** Objects are sent as JSON. */
  send(message: unknown): void;
  /** Sends `connection_init` and waits for `connection_ack`. */
  init(token: string): Promise<RawSocket>;
  /** Resolves with the first message that matches. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  message(holds: (message: any) => boolean, timeoutMs?: number): Promise<any>;
  /** Resolves when the server closes the socket. */
  closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

export interface RawOptions {
  protocol?: string;
  headers?: Record<string, string>;
  /** @default true */
  answersPings?: boolean;
}

/** @throws with the status when the server refuses the upgrade */
export async function rawSocket(
  url: string,
  { protocol = 'graphql-transport-ws', headers = {}, answersPings = true }: RawOptions = {},
): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, protocol, { headers });
  const messages: RawSocket['messages'] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    messages.push(message);
    if (answersPings && message.type === 'ping') socket.send('{"type":"pong"}');
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise<void>((opened, failed) => {
    socket.once('open', opened);
    socket.once('error', failed);
  });
  socket.on('error', () => undefined);
  const raw: RawSocket = {
    socket,
    messages,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async init(token) {
      raw.send({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } });
      await raw.message(({ type }) => type === 'connection_ack');
      return raw;
    },
    async message(holds, timeoutMs) {
      await waitFor(() => messages.some(holds), timeoutMs);
      return messages.find(holds);
    },
    closed,
    close: () => socket.terminate(),
  };
  return raw;
}
