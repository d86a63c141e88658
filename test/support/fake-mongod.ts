import { createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { framesInto, message, OP_MSG } from './fault-proxy.ts';

export interface FakeMongod {
  address: string;
  close(): Promise<void>;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;

/** The `hello` response of a replica set member, for tests to override. */
export const MEMBER_HELLO: Document = {
  ok: 1,
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  setName: 'rs0',
  setVersion: 1,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
};

/** A server with the given `hello` response and `answer` to every other command, for servers that tests cannot start. */
export async function startFakeMongod(
  hello: () => Document,
  answer: (command: string) => Document = () => ({ ok: 1 }),
): Promise<FakeMongod> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on(
      'data',
      framesInto((frame) => socket.write(replyTo(frame))),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `127.0.0.1:${(server.address() as { port: number }).port}`;

  function replyTo(frame: Buffer): Buffer {
    const id = frame.readInt32LE(4);
    if (frame.readInt32LE(12) === OP_QUERY) return message(OP_REPLY, id, greeting());
    const body = BSON.deserialize(frame.subarray(21, 21 + frame.readInt32LE(21)));
    const name = Object.keys(body)[0]!;
    const reply = /^(hello|ismaster)$/i.test(name) ? greeting() : answer(name);
    return message(OP_MSG, id, reply);
  }

  const greeting = () => {
    const said = hello();
    return said.setName ? { hosts: [address], me: address, primary: address, ...said } : said;
  };

  return {
    address,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
