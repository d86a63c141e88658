import type { Document } from 'bson';
import { allowedFor, type Filter, type Pause, type Projection, takeSpentSteps } from '../lib/index.ts';
import {
  commandContext,
  compileFilter,
  compileProjection,
  decode,
  deferFoldErrors,
  encode,
  type Plan,
  type Progress,
  runPausing,
} from '../query/index.ts';
import type { Row } from '../storage/index.ts';
import {
  type Command,
  countOption,
  documentOption,
  flagOption,
  namespaceOf,
  type Request,
  readerProgressOf,
  refuseCollation,
  viewOf,
} from './command.ts';
import { filterOf, isReadById, planFor } from './queries.ts';

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
  readConcernLevels: ['local', 'majority', 'linearizable', 'available', 'snapshot'],
  options: FIND_OPTIONS,
  isAllowedInTransaction: true,
  run(request) {
    const { body, engine } = request;
    const ns = namespaceOf(request);
    const spec = documentOption(body, 'projection');
    // Errors in the filter are reported before errors in the projection.
    const { filter, project } = deferFoldErrors(commandContext(body), (context) => ({
      filter: compileFilter(filterOf(body.filter, 'filter'), context),
      project: spec && Object.keys(spec).length > 0 ? compileProjection(spec, { context }) : undefined,
    }));
    const plan = planFind(request, body, filter);
    const progress = readerProgressOf(request);
    const rows = findRows(request, body, plan, progress);
    const limit = countOption(body, 'limit');
    return engine.cursors.open({
      ns,
      rows: project ? projected(rows, project) : bytesOf(rows),
      batchSize: countOption(body, 'batchSize'),
      most: mostOf(plan, limit, body),
      isSingleBatch: flagOption(body, 'singleBatch'),
      isImmortal: flagOption(body, 'noCursorTimeout'),
      sessionId: request.sessionId,
      transaction: request.transaction,
      api: request.api,
      atClusterTime: request.snapshot?.time,
      readsDurable: request.readsDurable,
      progress,
    });
  },
};

/** An upper bound of the rows: one for a read by id, else the limit, unless rows must be sorted first. */
function mostOf({ access, filter, sort, isSorted }: Plan, limit: number | undefined, body: Document): number {
  if (access.kind === 'nothing') return 0;
  if (isReadById(filter, { hint: body.hint, skip: countOption(body, 'skip') })) return 1;
  return limit && (!sort || isSorted) ? limit : Number.POSITIVE_INFINITY;
}

/** Plans a `find` command; also used by `explain`. */
export function planFind(request: Request, body: Document, filter?: Filter): Plan {
  refuseCollation(body);
  for (const option of ['limit', 'batchSize']) countOption(body, option);
  return planFor(
    request,
    {
      context: commandContext(body),
      ns: `${request.db}.${body.find}`,
      filter: filterOf(body.filter, 'filter'),
      sort: documentOption(body, 'sort'),
      hint: body.hint,
      skip: countOption(body, 'skip'),
    },
    filter,
  );
}

export function findRows(request: Request, body: Document, plan: Plan, progress: Progress): Iterable<Row | Pause> {
  const skip = countOption(body, 'skip') ?? 0;
  const limit = countOption(body, 'limit') || Number.POSITIVE_INFINITY;
  return window(runPausing(plan, viewOf(request), progress, skip + limit), skip, limit);
}

/** Skips `skip` items and returns at most `limit`, without reading past the last; passes pauses on. */
export function* window<Item>(items: Iterable<Item>, skip: number, limit: number): Generator<Item> {
  let position = 0;
  if (limit <= 0) return;
  for (const item of items) {
    if (item === undefined) {
      yield item;
      continue;
    }
    if (position++ < skip) continue;
    yield item;
    if (position >= skip + limit) return;
  }
}

function* bytesOf(rows: Iterable<Row | Pause>): Generator<Uint8Array | Pause> {
  for (const row of rows) yield row?.bytes;
}

function* projected(rows: Iterable<Row | Pause>, { apply, selectBytes }: Projection): Generator<Uint8Array | Pause> {
  for (const row of rows) {
    takeSpentSteps();
    if (!row) yield undefined;
    else if (selectBytes) yield selectBytes(row.bytes);
    else {
      const document = decode(row.bytes);
      yield encode(apply(document), { allowed: () => allowedFor(document) });
    }
  }
}
