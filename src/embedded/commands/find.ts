import type { Document } from 'bson';
import {
  type Command,
  countOption,
  documentOption,
  flagOption,
  namespaceOf,
  progressOf,
  type Request,
  refuseCollation,
  viewOf,
} from '../command.ts';
import { decode, encode, type Progress, runPlan } from '../executor.ts';
import { compileProjection } from '../language/projection.ts';
import type { Plan } from '../planner.ts';
import { filterOf, planFor } from '../queries.ts';
import type { Row } from '../storage.ts';

export const FIND_OPTIONS = [
  'filter',
  'sort',
  'projection',
  'hint',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'noCursorTimeout',
  'allowDiskUse',
  'allowPartialResults',
  'collation',
  'let',
];

export const find: Command = {
  options: FIND_OPTIONS,
  isAllowedInTransaction: true,
  run(request) {
    const { body, engine } = request;
    const ns = namespaceOf(request);
    const plan = planFind(request, body);
    const progress = progressOf(request);
    const rows = findRows(request, body, plan, progress);
    const spec = documentOption(body, 'projection');
    const limit = countOption(body, 'limit');
    return engine.cursors.open({
      ns,
      rows: spec && Object.keys(spec).length > 0 ? projected(rows, spec) : bytesOf(rows),
      batchSize: countOption(body, 'batchSize') ?? (limit || undefined),
      most: isIdPoint(plan) ? 1 : limit || Number.POSITIVE_INFINITY,
      isSingleBatch: flagOption(body, 'singleBatch'),
      isImmortal: flagOption(body, 'noCursorTimeout'),
      sessionId: request.sessionId,
      transaction: request.transaction,
      progress,
    });
  },
};

/** A read by id alone knows that it is at its end. */
const isIdPoint = ({ access, filter: { node } }: Plan): boolean =>
  access.kind === 'index' && access.isUniquePoint && node.kind === 'leaf' && node.path === '_id' && node.op === 'eq';

/** The plan of a `find` command's body; the query of an `explain` looks the same. */
export function planFind(request: Request, body: Document): Plan {
  refuseCollation(body);
  return planFor(request, {
    ns: `${request.db}.${body.find}`,
    filter: filterOf(body.filter, 'filter'),
    sort: documentOption(body, 'sort'),
    hint: body.hint,
  });
}

export function findRows(request: Request, body: Document, plan: Plan, progress: Progress): Iterable<Row> {
  const skip = countOption(body, 'skip') ?? 0;
  const limit = countOption(body, 'limit') || Number.POSITIVE_INFINITY;
  return window(runPlan(plan, viewOf(request), progress, skip + limit), skip, limit);
}

/** The items from `skip` on, at most `limit` of them, without looking past the last. */
export function* window<Item>(items: Iterable<Item>, skip: number, limit: number): Generator<Item> {
  let position = 0;
  if (limit <= 0) return;
  for (const item of items) {
    if (position++ < skip) continue;
    yield item;
    if (position >= skip + limit) return;
  }
}

function* bytesOf(rows: Iterable<Row>): Generator<Uint8Array> {
  for (const row of rows) yield row.bytes;
}

function* projected(rows: Iterable<Row>, spec: Document): Generator<Uint8Array> {
  const { apply } = compileProjection(spec);
  for (const row of rows) yield encode(apply(decode(row.bytes)));
}
