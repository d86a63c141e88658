import { type Collection, Db, type Document } from 'mongodb';
import { vi } from 'vitest';
import { separateCommands } from './separate-commands.ts';

export interface RejectedInserts {
  /** Commands that were rejected. */
  readonly count: number;
  stop(): void;
}

/** Rejects inserts into a collection by `insertMany`, and those that a `bulkWrite` contains. */
export function rejectInserts<Record extends Document>(
  collection: Collection<Record>,
  message: string,
): RejectedInserts {
  let count = 0;
  const reject = async (): Promise<never> => {
    count += 1;
    throw new Error(message);
  };
  const { command: send } = Db.prototype;
  const isInsert = (command: Document): boolean =>
    'bulkWrite' in command &&
    separateCommands({ commandName: 'bulkWrite', databaseName: 'admin', command }).some(
      ({ databaseName, command: { insert } }) => `${databaseName}.${insert}` === collection.namespace,
    );
  const spies = [
    vi.spyOn(collection, 'insertMany').mockImplementation(reject),
    vi.spyOn(Db.prototype, 'command').mockImplementation(function (this: Db, command, options) {
      return isInsert(command) ? reject() : send.call(this, command, options);
    }),
  ];
  return {
    get count() {
      return count;
    },
    stop() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
