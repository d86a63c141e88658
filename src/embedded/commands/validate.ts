import { checkCollection } from '../check.ts';
import { type Command, namespaceOf } from '../command.ts';
import { CommandError } from '../language/errors.ts';

export const validate: Command = {
  options: ['full'],
  run(request) {
    const ns = namespaceOf(request);
    const collection = request.engine.catalog.get(ns);
    if (!collection) throw new CommandError(26, `Collection '${ns}' does not exist to validate.`);
    const { records, entries, errors } = checkCollection(request.engine, collection);
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
