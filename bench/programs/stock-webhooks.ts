import http from 'node:http';
import { ObjectId } from 'mongodb';
import type { EventRecord } from '../../src/store/records/event.ts';
import { signatureHeaders } from '../../src/webhooks/sign.ts';
import { openServices } from '../services.ts';

/**
 * The baseline of webhooks: each event of the change stream is read, signed and sent to every endpoint, and
 * forgotten. Nothing is stored, retried or bounded.
 */
const { store } = await openServices();
const { collections } = store;
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
const stream = collections.events.watch([{ $match: { operationType: 'insert' } }]);
stream.on('change', (change) => {
  if (change.operationType === 'insert') void deliver(change.fullDocument);
});

async function deliver({ networkId, eventId, data }: EventRecord): Promise<void> {
  const [post, endpoints] = await Promise.all([
    collections.posts.findOne({ networkId, postId: String(data.postId) }),
    collections.webhookEndpoints.find({ networkId }).toArray(),
  ]);
  const author = post && (await collections.users.findOne({ networkId, userId: post.postedUserId }));
  const body = JSON.stringify({ event: 'post.didCreate', data: { posts: [post], users: [author] } });
  for (const { url, secrets } of endpoints) {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...signatureHeaders({ webhookId: eventId, body, secrets, now: new Date() }),
    };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => response.resume());
    request.on('error', () => undefined);
    request.end(body);
  }
}

// Sent when the change stream is open.
await collections.events.findOne({ networkId: '', eventId: new ObjectId().toHexString() });
http.createServer((_request, response) => response.end('ready')).listen(Number(process.env.PORT), '127.0.0.1');
