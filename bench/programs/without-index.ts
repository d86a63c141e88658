import { Db, type Document } from 'mongodb';

/**
 * Loaded by a gateway before its own modules, so that it stores no entries of search for new records: what remains is the cost
 * of a write without the index.
 */
const { command } = Db.prototype;
Db.prototype.command = async function (given, options) {
  if (!given.bulkWrite) return command.call(this, given, options);
  const left = withoutEntries(given);
  const reply = await command.call(this, { ...given, ops: left.map(({ op }) => op) }, options);
  const results: Document[] = reply.cursor.firstBatch;
  const byIndex = new Map(left.map(({ index }, position) => [index, results[position]]));
  reply.cursor.firstBatch = given.ops.map((_: Document, index: number) => byIndex.get(index) ?? { ok: 1, n: 1 });
  return reply;
};

/** The operations of a `bulkWrite` that do not insert an entry, with their indexes. */
function withoutEntries({ ops, nsInfo }: Document): Array<{ op: Document; index: number }> {
  return ops
    .map((op: Document, index: number) => ({ op, index }))
    .filter(({ op }: { op: Document }) => !nsInfo[op.insert]?.ns.endsWith('.searchEntries'));
}
