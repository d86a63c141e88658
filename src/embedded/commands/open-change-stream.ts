import type { Document } from 'bson';
import { compileEventPipeline, createStream, parseOptions, scopeOf } from '../change-streams/index.ts';
import { badValue, CommandError, isNumber, toNumber, typeOf } from '../lib/index.ts';
import { checkNamespace } from '../storage/index.ts';
import { countOption, type Request } from './command.ts';
import type { ReadConcernLevel } from './read-concern.ts';

/** Whether a pipeline opens a change stream. */
export const isChangeStream = (stages: readonly Document[]): boolean =>
  stages[0] !== undefined && '$changeStream' in stages[0];

/**
 * Executes an `aggregate` whose first stage is `$changeStream`: on a collection, which need not exist, on a
 * database (`aggregate: 1`), or with `allChangesForCluster` on everything.
 *
 * @throws CommandError 263 in a transaction, 72 for another read concern than `majority`, and those of its parts
 */
export function openStream(request: Request, [first, ...stages]: readonly Document[]): Buffer {
  const { engine, body, db, transaction } = request;
  if (transaction) throw new CommandError(263, '$changeStream cannot run within a multi-document transaction');
  assertMajority(request.readConcern.level);
  request.operationTime = engine.changes.time;
  const options = parseOptions(first!.$changeStream);
  const scope = scopeOf({ db, collection: collectionOf(request), isClusterWide: options.isClusterWide });
  const pipeline = compileEventPipeline(stages);
  return engine.streams.open({
    ns: scope.ns,
    stream: createStream({ log: engine.changes, scope, options, pipeline, source: engine }),
    batchSize: countOption(body.cursor, 'batchSize'),
    sessionId: request.sessionId,
  });
}

function collectionOf({ db, body }: Request): string | undefined {
  const { aggregate } = body;
  if (isNumber(aggregate) && toNumber(aggregate) === 1) return undefined;
  if (typeof aggregate !== 'string') throw badValue(`collection name has invalid type ${typeOf(aggregate)}`);
  checkNamespace(`${db}.${aggregate}`);
  return aggregate;
}

function assertMajority(level: ReadConcernLevel | undefined): void {
  if (level === undefined || level === 'majority') return;
  throw new CommandError(72, `$changeStream cannot run with a readConcern other than 'majority', not ${level}`);
}
