import { type Db, type Document, ObjectId } from 'mongodb';
import type { Operation, Outcome, Probe } from './probe.ts';

const RAW = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

/** Runs probes over the wire, as commands, so that no check of the driver stands between question and answer. */
export async function runOnServer(db: Db, probes: readonly Probe[]): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  let loaded: readonly Document[] | undefined;
  for (const probe of probes) {
    if (loaded !== probe.documents) await load(db, 'probes', probe.documents);
    loaded = probe.operation.kind === 'update' ? undefined : probe.documents;
    if (probe.operation.kind === 'aggregate' && probe.operation.foreign)
      await load(db, 'foreign', probe.operation.foreign);
    outcomes.set(probe.name, await answer(db, probe.operation));
  }
  return outcomes;
}

async function load(db: Db, name: string, documents: readonly Document[]): Promise<void> {
  await db.collection(name).deleteMany({});
  if (documents.length > 0) await db.command({ insert: name, documents });
}

async function answer(db: Db, operation: Operation): Promise<Outcome> {
  try {
    return await run(db, operation);
  } catch (error) {
    const { code, codeName } = error as { code?: number; codeName?: string };
    if (code === undefined) throw error;
    return { code, ...(codeName ? { codeName } : {}) };
  }
}

async function run(db: Db, operation: Operation): Promise<Outcome> {
  if (operation.kind === 'update') return update(db, operation);
  const command =
    operation.kind === 'find'
      ? { find: 'probes', ...withoutKind(operation), batchSize: 10_000 }
      : { aggregate: 'probes', pipeline: operation.pipeline, cursor: { batchSize: 10_000 } };
  const reply = await db.command(command, RAW);
  return { documents: reply.cursor.firstBatch };
}

const withoutKind = ({ kind: _, ...rest }: Operation & { kind: 'find' }): Document => rest;

async function update(db: Db, operation: Operation & { kind: 'update' }): Promise<Outcome> {
  const { filter: q, update: u, arrayFilters, upsert } = operation;
  const statement = { q, u, ...(arrayFilters ? { arrayFilters } : {}), ...(upsert ? { upsert } : {}) };
  const reply = await db.command({ update: 'probes', updates: [statement] });
  if (reply.writeErrors) return { code: reply.writeErrors[0].code };
  const found = await db.command({ find: 'probes', sort: { _id: 1 } }, RAW);
  const generated = reply.upserted?.[0]?._id;
  const documents = found.cursor.firstBatch.map((document: Document) => withoutGenerated(document, generated, q));
  return { documents, matched: upsert ? 0 : reply.n, modified: reply.nModified, upserted: generated !== undefined };
}

/** An `_id` the server made up says nothing. */
function withoutGenerated(document: Document, generated: unknown, filter: Document): Document {
  if (!(generated instanceof ObjectId) || String(filter._id) === String(generated)) return document;
  const { _id, ...rest } = document;
  return rest;
}
