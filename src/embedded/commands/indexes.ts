import { BSON, type Document, Long } from 'bson';
import { type Collection, describeIndex, type Index } from '../catalog.ts';
import { arrayOption, type Command, countOption, namespaceOf, type Request } from '../command.ts';
import { abortBuildsOf, makeIndexes } from '../index-builds.ts';
import { parseIndexSpec } from '../index-specs.ts';
import { CommandError } from '../language/errors.ts';
import { describe, isDocument, isNumber, toNumber } from '../language/values.ts';
import { isSameKey } from '../planner.ts';

export const createIndexes: Command = {
  options: ['indexes', 'commitQuorum'],
  async run(request) {
    const ns = namespaceOf(request);
    const specs = arrayOption(request.body, 'indexes').map(parseIndexSpec);
    if (specs.length === 0) throw new CommandError(2, 'Must specify at least one index to create');
    const { created, isNewCollection, ...numbers } = await makeIndexes(request.engine, ns, specs);
    const note = created === 0 ? 'all indexes already exist' : 'index already exists';
    return {
      ...numbers,
      ...(created > 0 && { createdCollectionAutomatically: isNewCollection }),
      ...(created < specs.length && { note }),
    };
  },
};

export const listIndexes: Command = {
  options: ['cursor'],
  run(request) {
    const ns = namespaceOf(request);
    const collection = request.engine.catalog.get(ns);
    if (!collection) throw new CommandError(26, `ns does not exist: ${ns}`);
    return request.engine.cursors.open({
      ns,
      rows: collection.indexes.map((index) => BSON.serialize(describeIndex(index))),
      batchSize: isDocument(request.body.cursor) ? countOption(request.body.cursor, 'batchSize') : undefined,
      sessionId: request.sessionId,
    });
  },
};

export const dropIndexes: Command = {
  options: ['index'],
  run(request) {
    const { engine, body } = request;
    const ns = namespaceOf(request);
    return engine.queue.run(() => {
      const collection = engine.catalog.get(ns);
      if (!collection) throw new CommandError(26, `ns not found ${ns}`);
      engine.transactions.assertUnwritten(collection);
      const nIndexesWas = collection.indexes.length;
      const dropped = indexesToDrop(collection, body.index);
      abortBuildsOf(engine, collection, dropped);
      for (const index of dropped) if (!index.build) engine.catalog.dropIndex(collection, index);
      return { nIndexesWas, ...(body.index === '*' && { msg: 'non-_id indexes dropped for collection' }) };
    });
  },
};

function indexesToDrop(collection: Collection, wanted: unknown): Index[] {
  if (wanted === '*') return collection.indexes.filter((index) => index.name !== '_id_');
  return (Array.isArray(wanted) ? wanted : [wanted]).map((one) => {
    const index = findIndex(collection, one);
    if (!index) throw new CommandError(27, `index not found with name [${String(one)}]`);
    if (index.name === '_id_') throw new CommandError(72, 'cannot drop _id index');
    return index;
  });
}

function findIndex(collection: Collection, wanted: unknown): Index | undefined {
  const found = collection.indexes.filter((index) =>
    typeof wanted === 'string' ? index.name === wanted : isDocument(wanted) && isSameKey(index.key, wanted),
  );
  if (found.length > 1) {
    throw new CommandError(181, `${found.length} indexes found for key: ${describe(wanted)}, identify by name instead`);
  }
  return found[0];
}

/** Only the expiry of a TTL index can be changed. */
export const collMod: Command = {
  options: ['index'],
  run(request) {
    const { engine, body } = request;
    const ns = namespaceOf(request);
    return engine.queue.run(() => {
      const collection = engine.catalog.get(ns);
      if (!collection) throw new CommandError(26, `ns does not exist: ${ns}`);
      if (collection.builds.size > 0) {
        throw new CommandError(12587, `cannot perform operation: an index build is currently running for ${ns}`);
      }
      return body.index === undefined ? {} : changeExpiry({ request, collection, change: body.index });
    });
  },
};

interface ExpiryChange {
  request: Request;
  collection: Collection;
  change: unknown;
}

function changeExpiry({ request, collection, change }: ExpiryChange): Document {
  if (!isDocument(change) || !isNumber(change.expireAfterSeconds)) {
    throw new CommandError(72, 'no expireAfterSeconds field');
  }
  const index = findIndex(collection, change.name ?? change.keyPattern);
  if (!index) throw new CommandError(27, `cannot find index for ns ${collection.ns}`);
  const seconds = toNumber(change.expireAfterSeconds);
  const before = index.expireAfterSeconds;
  index.expireAfterSeconds = seconds;
  request.engine.catalog.save(collection);
  return {
    ...(before !== undefined && { expireAfterSeconds_old: Long.fromNumber(before) }),
    expireAfterSeconds_new: Long.fromNumber(seconds),
  };
}
