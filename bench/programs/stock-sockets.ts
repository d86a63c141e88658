import { EventEmitter, on } from 'node:events';
import { createServer } from 'node:http';
import { execute, GraphQLError, parse, subscribe } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { type Db, MongoClient } from 'mongodb';
import { WebSocketServer } from 'ws';
import { schema } from '../../schema/index.ts';
import { createContext } from '../../src/context.ts';
import { authenticate } from '../../src/domain/session/authenticate.ts';
import { createLoaders } from '../../src/store/loaders.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import { openServices, withPlainLoaders } from '../services.ts';

/**
 * The baseline of fan-out: `graphql-ws` as documented, over the same schema and change stream, either with the gateway's
 * loaders, which read once for all subscribers, or with plain DataLoader batching. Each subscriber executes the document
 * separately. Visibility is not checked.
 */
const opened = await openServices();
const services = process.env.LOADERS === 'plain' ? withPlainLoaders(opened, createUnboundedDb()) : opened;
const events = new EventEmitter().setMaxListeners(0);
const stream = services.store.collections.events.watch([{ $match: { operationType: 'insert' } }]);
stream.on('change', (change) => {
  if (change.operationType === 'insert') events.emit('event', change.fullDocument, change._id);
});

const field = schema.getSubscriptionType()!.getFields().postCreated!;
field.subscribe = async function* (_root, _args, context) {
  for await (const [event, token] of on(events, 'event')) {
    const { networkId, data } = event as EventRecord;
    // Loaders cache without eviction, so each event has its own.
    context.load = createLoaders(services.store.batchers, networkId, null);
    const post = await context.load.posts.load(data.postId);
    if (post) yield { live: { cursor: token._data, event }, payload: { post } };
  }
};

/** A client with the driver's default settings, so that thousands of concurrent requests may wait without a deadline. */
function createUnboundedDb(): Db {
  return new MongoClient(process.env.MONGODB_URI!).db(opened.store.db.databaseName);
}

const server = createServer((_request, response) => response.end('ready'));
const sockets = new WebSocketServer({ server, path: '/graphql' });
useServer(
  {
    schema,
    execute,
    subscribe,
    async onSubscribe({ connectionParams }, _id, { query, variables }) {
      const token = String(connectionParams?.Authorization ?? '').slice('Bearer '.length);
      const viewer = await authenticate(services, token);
      if (!viewer) return [new GraphQLError('The token is invalid.')];
      return {
        schema,
        document: parse(query),
        variableValues: variables ?? null,
        contextValue: createContext(services, viewer),
      };
    },
  },
  sockets,
);
server.listen(Number(process.env.PORT), '127.0.0.1');
