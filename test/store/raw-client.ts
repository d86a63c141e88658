import { connect, type Socket } from 'node:net';
import { BSON, type Document } from 'bson';

export interface RawClient {
  /** Sends a command unchanged, including session and transaction numbers, and reads the reply. */
  command(db: string, command: Document): Promise<Document>;
  /** Sends bytes unchanged and reads the next reply. */
  send(frame: Buffer): Promise<Document>;
  socket: Socket;
  close(): void;
}

const HEAD = 21;
const OP_MSG = 2013;
/** Decodes leniently: a server may cut its messages within a character. */
const RAW = { promoteValues: false, promoteBuffers: false, bsonRegExp: true, validation: { utf8: false } } as const;

/** Speaks the wire protocol without a driver, which would add its own sessions and numbers to commands. */
export function connectRaw(uri: string): RawClient {
  const address = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(uri)![1]!);
  const [host, port] = address.split(':');
  const socket = address.startsWith('/') ? connect(address) : connect(Number(port), host);
  const waiting: ((reply: Document) => void)[] = [];
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
      const size = received.readInt32LE(0);
      waiting.shift()?.(BSON.deserialize(received.subarray(HEAD, HEAD + received.readInt32LE(HEAD)), RAW));
      received = received.subarray(size);
    }
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const answer of waiting.splice(0)) answer({ isClosed: true });
  });
  function send(frame: Buffer): Promise<Document> {
    socket.write(frame);
    return new Promise((resolve) => waiting.push(resolve));
  }
  return {
    socket,
    command(db, command) {
      return send(frameOf({ ...command, $db: db }));
    },
    send,
    close: () => socket.destroy(),
  };
}

/** An OP_MSG with one body. */
export function frameOf(body: Document): Buffer {
  const bytes = BSON.serialize(body);
  const frame = Buffer.alloc(HEAD + bytes.length);
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(1, 4);
  frame.writeInt32LE(OP_MSG, 12);
  frame.set(bytes, HEAD);
  return frame;
}
