import { BSON, type Document, Long } from 'bson';
import { CommandError, describe, isDocument, isNumber, toNumber, typeMismatch } from '../lib/index.ts';
import { isSameKey } from '../query/index.ts';
import { type Collection, describeIndex, type Index } from '../storage/index.ts';
import { arrayOption, type Command, namespaceOf, type Request, refuseUnknown } from './command.ts';
import { listing } from './cursor-commands.ts';
import { abortBuildsOf, createMissingIndexes } from './index-builds.ts';
import { LONGEST_EXPIRY, parseIndexSpec } from './index-specs.ts';

export const createIndexes: Command = {
  isDefinition: true,
  isWrite: true,
  options: ['indexes', 'commitQuorum'],
  isAllowedInTransaction: true,
  async run(request) {
    const ns = namespaceOf(request);
    checkQuorum(request.body.commitQuorum);
    const specs = arrayOption(request.body, 'indexes').map(parseIndexSpec);
    if (specs.length === 0) throw new CommandError(2, 'Must specify at least one index to create');
    const { created, isNewCollection, ...numbers } = await createMissingIndexes(request, ns, specs);
    const note = created === 0 ? 'all indexes already exist' : 'index already exists';
    return {
      ...numbers,
      ...(created > 0 && { createdCollectionAutomatically: isNewCollection }),
      ...(created < specs.length && { note }),
    };
  },
};

/** A replica set with a single member always has a commit quorum. */
function checkQuorum(quorum: unknown): void {
  if (typeof quorum !== 'string' || quorum === 'majority' || quorum === 'votingMembers') return;
  throw new CommandError(79, `No write concern mode named '${quorum}' found in replica set configuration`);
}

export const listIndexes: Command = {
  options: ['cursor'],
  run(request) {
    const ns = namespaceOf(request);
    const collection = request.engine.catalog.get(ns);
    if (!collection) throw new CommandError(26, `ns does not exist: ${ns}`);
    return request.engine.cursors.open({
      ns,
      ...listing(
        request.body,
        collection.indexes.map((index) => BSON.serialize(describeIndex(index))),
      ),
      sessionId: request.sessionId,
    });
  },
};

export const dropIndexes: Command = {
  isWrite: true,
  options: ['index'],
  run(request) {
    const { engine, body, deadline } = request;
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
    }, deadline);
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

/** Only the expiry of a TTL index can be modified. */
export const collMod: Command = {
  isWrite: true,
  options: ['index'],
  run(request) {
    const { engine, body, deadline } = request;
    const ns = namespaceOf(request);
    return engine.queue.run(() => {
      const collection = engine.catalog.get(ns);
      if (!collection) throw new CommandError(26, `ns does not exist: ${ns}`);
      if (collection.builds.size > 0) {
        throw new CommandError(12587, `cannot perform operation: an index build is currently running for ${ns}`);
      }
      if (body.index === undefined) return {};
      if (!isDocument(body.index))
        throw typeMismatch("BSON field 'collMod.index' is the wrong type, expected type 'object'");
      return changeExpiry({ request, collection, change: body.index });
    }, deadline);
  },
};

interface ExpiryChange {
  request: Request;
  collection: Collection;
  change: Document;
}

function changeExpiry({ request, collection, change }: ExpiryChange): Document {
  const index = changedIndex(collection, change);
  const seconds = Math.min(Math.trunc(toNumber(change.expireAfterSeconds)), LONGEST_EXPIRY);
  const before = index.expireAfterSeconds;
  index.expireAfterSeconds = seconds;
  request.engine.catalog.save(collection);
  return {
    ...(before !== undefined && { expireAfterSeconds_old: Long.fromNumber(before) }),
    expireAfterSeconds_new: Long.fromNumber(seconds),
  };
}

/** Validates a change of expiry with MongoDB's errors and returns its index. */
function changedIndex(collection: Collection, { name, keyPattern, expireAfterSeconds, ...others }: Document): Index {
  refuseUnknown("'collMod.index'", others, []);
  if (expireAfterSeconds === undefined) throw new CommandError(72, 'no expireAfterSeconds field');
  if (!isNumber(expireAfterSeconds)) {
    throw typeMismatch("BSON field 'collMod.index.expireAfterSeconds' is the wrong type, expected a number");
  }
  if (name !== undefined && keyPattern !== undefined) {
    throw new CommandError(72, 'Cannot specify both key pattern and name.');
  }
  if (name === undefined && keyPattern === undefined) {
    throw new CommandError(72, 'Must specify either index name or key pattern.');
  }
  const index = findIndex(collection, name ?? keyPattern);
  if (!index) throw new CommandError(27, `cannot find index ${describe(name ?? keyPattern)} for ns ${collection.ns}`);
  if (!(toNumber(expireAfterSeconds) >= 0)) {
    throw new CommandError(72, "TTL index 'expireAfterSeconds' option cannot be less than 0");
  }
  if (index.name === '_id_') throw new CommandError(72, 'the _id field does not support TTL indexes');
  if (index.paths.length > 1) {
    throw new CommandError(72, 'TTL indexes are single-field indexes, compound indexes do not support TTL');
  }
  return index;
}
