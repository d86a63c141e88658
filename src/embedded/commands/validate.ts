import { CommandError } from '../lib/index.ts';
import { checkCollection } from '../maintenance/index.ts';
import { isTimeUp, runWithPauses } from '../query/index.ts';
import { type Command, namespaceOf, readerProgressOf } from './command.ts';

export const validate: Command = {
  options: ['full'],
  async run(request) {
    const ns = namespaceOf(request);
    const collection = request.engine.catalog.get(ns);
    if (!collection) throw new CommandError(26, `Collection '${ns}' does not exist to validate.`);
    const progress = readerProgressOf(request);
    const snapshot = request.engine.storage.pin();
    const checking = checkCollection(snapshot, collection, (weight = 1) => isTimeUp(progress, weight));
    const { records, entries, errors } = await runWithPauses(checking, progress).finally(() => snapshot.release());
    return {
      ns,
      nrecords: records,
      nIndexes: collection.indexes.length,
      keysPerIndex: entries,
      valid: errors.length === 0,
      errors: errors.slice(0, 100),
    };
  },
};
