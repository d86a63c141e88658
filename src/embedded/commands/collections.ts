import { BSON, type Document, Int32, Long } from 'bson';
import type { Engine } from '../engine.ts';
import { badValue, CommandError, toNumber } from '../lib/index.ts';
import { compileFilter, DEFAULT_CONTEXT } from '../query/index.ts';
import { type Collection, describeIndex, idPrefix, prefixRange } from '../storage/index.ts';
import { type Command, documentOption, flagOption, namespaceOf, type Request } from './command.ts';
import { listing } from './cursor-commands.ts';
import { abortBuilds } from './index-builds.ts';

export const create: Command = {
  isDefinition: true,
  isWrite: true,
  options: [],
  isAllowedInTransaction: true,
  run(request) {
    const { engine, deadline, transaction } = request;
    const ns = namespaceOf(request);
    if (transaction) {
      if (transaction.view.collection(ns)) throw new CommandError(48, `Collection ${ns} already exists.`);
      transaction.collectionFor(ns);
      return {};
    }
    // Creating an existing collection with the same options is no error, and no options are supported.
    return engine.queue.run(() => {
      if (!engine.catalog.get(ns)) engine.catalog.create(ns);
      return {};
    }, deadline);
  },
};

export const drop: Command = {
  isWrite: true,
  options: [],
  run(request) {
    const { engine, deadline } = request;
    const ns = namespaceOf(request);
    return engine.queue.run(() => {
      const collection = engine.catalog.get(ns);
      if (!collection) return {};
      const nIndexesWas = collection.indexes.length;
      dropCollection(engine, collection, `Collection ${ns} is being dropped`);
      return { nIndexesWas, ns };
    }, deadline);
  },
};

export const dropDatabase: Command = {
  isWrite: true,
  options: [],
  run({ engine, db, deadline }) {
    return engine.queue.run(() => {
      const collections = engine.catalog.list(db);
      for (const collection of collections) engine.transactions.assertUnwritten(collection);
      for (const collection of collections) dropCollection(engine, collection, 'dropDatabase command');
      if (collections.length > 0) engine.changes.append([{ kind: 'dropDatabase', ns: db, payload: [] }]);
      return {};
    }, deadline);
  },
};

function dropCollection(engine: Engine, collection: Collection, why: string): void {
  engine.transactions.assertUnwritten(collection);
  abortBuilds(engine, collection, why);
  engine.catalog.drop(collection);
  engine.changes.append([{ kind: 'drop', ns: collection.ns, payload: [] }]);
}

export const listCollections: Command = {
  options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run({ engine, body, db, sessionId }) {
    const filter = compileFilter(documentOption(body, 'filter') ?? {}, DEFAULT_CONTEXT);
    const isNameOnly = flagOption(body, 'nameOnly');
    const found = engine.catalog.list(db).map(describeCollection).filter(filter.matches);
    return engine.cursors.open({
      ns: `${db}.$cmd.listCollections`,
      ...listing(
        body,
        found.map((collection) =>
          BSON.serialize(isNameOnly ? { name: collection.name, type: collection.type } : collection),
        ),
      ),
      sessionId,
    });
  },
};

const describeCollection = ({ name, uuid, indexes }: Collection): Document => ({
  name,
  type: 'collection',
  options: {},
  info: { readOnly: false, uuid },
  idIndex: describeIndex(indexes.find((index) => index.name === '_id_')!),
});

export const listDatabases: Command = {
  isAdminOnly: true,
  options: ['filter', 'nameOnly', 'authorizedDatabases'],
  run({ engine, body }) {
    const filter = compileFilter(documentOption(body, 'filter') ?? {}, DEFAULT_CONTEXT);
    const databases = engine.catalog
      .databases()
      .map((name) => (flagOption(body, 'nameOnly') ? { name } : { name, sizeOnDisk: new Long(0), empty: false }))
      .filter(filter.matches);
    return flagOption(body, 'nameOnly') ? { databases } : { databases, totalSize: new Long(0) };
  },
};

export const collStats: Command = {
  options: ['scale'],
  run(request) {
    const ns = namespaceOf(request);
    checkScale(request.body);
    const collection = request.engine.catalog.get(ns);
    return { ns, ...sizes(request, collection ? [collection] : []) };
  },
};

/** Validates `scale`, which has no effect because no sizes are reported. */
function checkScale({ scale }: Document): void {
  if (scale != null && toNumber(scale) < 1) throw badValue('Scale factor must be greater than zero');
}

export const dbStats: Command = {
  options: ['scale', 'freeStorage'],
  run(request) {
    checkScale(request.body);
    const collections = request.engine.catalog.list(request.db);
    const { count, nindexes } = sizes(request, collections);
    return { db: request.db, collections: collections.length, objects: count, indexes: nindexes };
  },
};

function sizes({ engine }: Request, collections: readonly Collection[]): Document {
  const indexes = collections.flatMap((collection) => collection.indexes);
  return {
    count: collections.reduce((total, { id }) => total + engine.storage.countRecords(id), 0),
    nindexes: new Int32(indexes.length),
    indexEntries: Object.fromEntries(
      indexes.map((index) => [index.name, engine.storage.countEntries(prefixRange(idPrefix(index.id))).count]),
    ),
  };
}
