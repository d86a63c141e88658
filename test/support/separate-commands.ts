import type { CommandStartedEvent, Document } from 'mongodb';

export type SentCommand = Pick<CommandStartedEvent, 'commandName' | 'command' | 'databaseName'>;

/** A command as the driver sent it; of a `bulkWrite`, the commands for one collection that it replaces. */
export function separateCommands({ commandName, command, databaseName }: SentCommand): SentCommand[] {
  if (commandName !== 'bulkWrite') return [{ commandName, command, databaseName }];
  return (command.ops as Document[]).map((operation) => {
    const kind = Object.keys(operation)[0]!;
    const { ns } = command.nsInfo[operation[kind]] as { ns: string };
    const [database, collection] = [ns.slice(0, ns.indexOf('.')), ns.slice(ns.indexOf('.') + 1)];
    return {
      commandName: kind,
      databaseName: database,
      command: { [kind]: collection, ...partsOf(kind, operation) },
    };
  });
}

function partsOf(
  kind: string,
  { document, filter: q, updateMods: u, multi, upsert, arrayFilters }: Document,
): Document {
  if (kind === 'insert') return { documents: [document] };
  if (kind === 'delete') return { deletes: [{ q, limit: multi ? 0 : 1 }] };
  return {
    updates: [{ q, u, ...(multi && { multi }), ...(upsert && { upsert }), ...(arrayFilters && { arrayFilters }) }],
  };
}
