import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, type Document } from 'bson';
import { cursorReply } from '../../src/embedded/lib/cursor-reply.ts';
import { runToEnd } from '../../src/embedded/lib/pauses.ts';
import { createFramer, encodeReply, parseMessage } from '../../src/embedded/wire/messages.ts';
import { createEchoStreams } from '../store/echo-streams.ts';
import { recordOf } from '../store/records.ts';

/**
 * Implements as much of the wire protocol as the official driver needs to see a replica set with one member. It stores nothing and
 * looks nothing up: responses are prepared and as long as those of the store. So it measures the cost of the driver
 * against any server.
 */
const OP_MSG = 2013;
const NAME_AT = 26; // header 16, flags 4, section kind 1, document size 4, element type 1
const LIMIT = Buffer.from('\u0010limit\0');

const folder = mkdtempSync(join(tmpdir(), 'colloquy-echo-'));
const socket = join(folder, 'echo.sock');
const record = BSON.serialize(recordOf(0, 1));
const streams = createEchoStreams();

const HELLO = {
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  setName: 'echo',
  setVersion: 1,
  hosts: [socket],
  primary: socket,
  me: socket,
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  connectionId: 1,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
  ok: 1,
};

const canned = (reply: Document | Uint8Array): Buffer =>
  runToEnd(encodeReply({ requestId: 0, isLegacyQuery: false }, reply));
const page = (count: number): Buffer =>
  canned(cursorReply({ field: 'firstBatch', documents: Array(count).fill(record), id: 0n, ns: 'colloquy.posts' }));
const timed = (reply: Document): Buffer =>
  canned({ ...reply, ok: 1.0, operationTime: new BSON.Timestamp({ t: 1, i: 1 }) });

const ONE = page(1);
const FIFTY = page(50);
const REPLIES: ReadonlyMap<string, Buffer> = new Map([
  ['insert', timed({ n: 1 })],
  ['update', timed({ n: 1, nModified: 1 })],
  ['delete', timed({ n: 1 })],
  ['commitTransaction', timed({})],
]);

/** The prepared response, if there is one. */
function cannedFor(frame: Buffer): Buffer | undefined {
  if (frame.readInt32LE(12) !== OP_MSG) return undefined;
  const name = frame.toString('latin1', NAME_AT, frame.indexOf(0, NAME_AT));
  if (name !== 'find') return REPLIES.get(name);
  const at = frame.indexOf(LIMIT);
  return at >= 0 && frame.readInt32LE(at + LIMIT.length) === 50 ? FIFTY : ONE;
}

function answer(client: Socket, frame: Buffer): void {
  const ready = cannedFor(frame);
  if (ready) {
    const reply = Buffer.from(ready);
    reply.writeInt32LE(frame.readInt32LE(4), 8); // answers this request
    client.write(reply);
  }
  if (ready && streams.size === 0) return;
  const message = runToEnd(parseMessage(frame));
  const { insert, aggregate, getMore } = message.body;
  if (ready) {
    if (insert) streams.add(message.sequences.get('documents')!);
  } else if (message.isFireAndForget) {
    return;
  } else if (aggregate) {
    client.write(runToEnd(encodeReply(message, streams.open())));
  } else if (getMore) {
    streams.wait(getMore, (reply) => client.write(runToEnd(encodeReply(message, reply))));
  } else {
    client.write(runToEnd(encodeReply(message, HELLO)));
  }
}

const server = createServer((client) => {
  client.on(
    'data',
    createFramer((frame) => answer(client, frame)),
  );
  client.on('error', () => client.destroy());
});
server.listen(socket, () => process.send!({ uri: `mongodb://${encodeURIComponent(socket)}/?directConnection=true` }));
process.once('SIGTERM', () => {
  rmSync(folder, { recursive: true });
  process.exit(0);
});
