import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { EventRecord } from '../../src/store/records/event.ts';
import { openServices } from '../services.ts';

/**
 * What fan-out costs at least with one write for each message, written by hand: each event and its post are read once, and
 * one prepared message is written to every socket. It checks no session, executes no document and limits no slow client.
 */
const { store } = await openServices();
const { events, posts, users } = store.collections;
/** The connection of each subscriber and the beginning of its messages, with the id of its subscription. */
const subscribers = new Map<WebSocket, { stream: Duplex; prefix: Buffer }>();

events.watch([{ $match: { operationType: 'insert' } }]).on('change', (change) => {
  if (change.operationType === 'insert') void broadcast(change.fullDocument, (change._id as { _data: string })._data);
});

async function broadcast({ _id, path, data, networkId, createdAt }: EventRecord, cursor: string): Promise<void> {
  const post = await posts.findOne({ networkId, postId: data.postId as string });
  const author = await users.findOne({ networkId, userId: post!.postedUserId });
  const { userId, displayName } = author!;
  const event = {
    id: _id,
    cursor,
    type: 'POST_CREATED',
    path,
    sendTime: createdAt,
    post: {
      postId: post!.postId,
      data: { text: post!.data.text },
      createdAt: post!.createdAt,
      author: { userId, displayName },
    },
  };
  const payload = Buffer.from(`{"data":${JSON.stringify({ postCreated: event })}}}`);
  for (const { stream, prefix } of subscribers.values()) stream.write(frameOf(prefix, payload));
}

/** A text frame without a mask, RFC 6455 section 5.2, of 126 to 65,535 bytes. */
function frameOf(prefix: Buffer, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(4 + prefix.length + payload.length);
  frame[0] = 0x81;
  frame[1] = 126;
  frame.writeUInt16BE(prefix.length + payload.length, 2);
  frame.set(prefix, 4);
  frame.set(payload, 4 + prefix.length);
  return frame;
}

const server = createServer((_request, response) => response.end('ready'));
const sockets = new WebSocketServer({
  server,
  path: '/graphql',
  perMessageDeflate: false,
  handleProtocols: () => 'graphql-transport-ws',
});
sockets.on('connection', (socket, { socket: stream }: IncomingMessage) => {
  socket.on('message', (message) => {
    const { type, id } = JSON.parse(String(message)) as { type: string; id?: string };
    if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
    if (type === 'subscribe')
      subscribers.set(socket, { stream, prefix: Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`) });
  });
  socket.on('close', () => subscribers.delete(socket));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
