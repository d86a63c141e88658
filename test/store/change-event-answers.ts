import { type Document, EJSON } from 'bson';
import { type Collection, MongoClient } from 'mongodb';
import type { EventCase } from './change-event-cases.ts';

/** The events of all cases, as canonical text; `none` if a case changes nothing. */
export async function eventsOf(uri: string, cases: readonly EventCase[]): Promise<string[]> {
  const client = await MongoClient.connect(uri);
  const collection = client.db(`events_${process.pid}_${Date.now()}`).collection<Document>('rows');
  const stream = collection.watch([{ $match: { operationType: { $ne: 'insert' } } }]);
  await stream.tryNext();
  for (const [n, eventCase] of cases.entries()) await carryOut(collection, n, eventCase);
  await collection.insertOne({ _id: 'end' as never });
  await collection.deleteOne({ _id: 'end' as never });
  const found = new Map<unknown, string>();
  for await (const event of stream) {
    if (event.operationType === 'delete') break;
    found.set((event as Document).documentKey._id, textOf(event));
  }
  await stream.close();
  await client.db(collection.dbName).dropDatabase();
  await client.close();
  return cases.map((_, n) => found.get(n) ?? 'none');
}

async function carryOut(collection: Collection<Document>, n: number, eventCase: EventCase): Promise<void> {
  const { before, update, filter, arrayFilters, namesId } = eventCase;
  const isReplacement = !Array.isArray(update) && !Object.keys(update)[0]?.startsWith('$');
  await collection.insertOne({ _id: n as never, ...before });
  const query = { _id: n as never, ...filter };
  if (isReplacement) await collection.replaceOne(query, namesId ? { _id: n as never, ...update } : update);
  else await collection.updateOne(query, update, { ...(arrayFilters && { arrayFilters }) });
}

/** The fields of an event that describe the change itself. */
function textOf(event: Document): string {
  const { operationType, fullDocument, updateDescription } = event;
  return EJSON.stringify({ operationType, fullDocument, updateDescription }, { relaxed: true });
}
