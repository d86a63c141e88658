import type { Document } from 'bson';
import { stageNotFirst } from '../change-streams/index.ts';
import { CommandError, isDocument, isNumber, notSupported, type Pause, toNumber } from '../lib/index.ts';
import {
  atExecution,
  type CompileContext,
  type CompiledPipeline,
  commandContext,
  compilePipeline,
  countWithPauses,
  type Documents,
  decodeCounted,
  encode,
  isTimeUp,
  type PipelineEnvironment,
  type Plan,
  type Progress,
  runPausing,
} from '../query/index.ts';
import type { Reply } from '../wire/index.ts';
import {
  type Command,
  countOption,
  documentsOption,
  namespaceOf,
  type Request,
  readerProgressOf,
  refuseCollation,
  refuseLet,
  refuseUnknown,
  viewOf,
} from './command.ts';
import { window } from './find.ts';
import { isChangeStream, openStream } from './open-change-stream.ts';
import { planFor } from './queries.ts';
import { parseUndecoded } from './undecoded-stages.ts';

export const AGGREGATE_OPTIONS = [
  'pipeline',
  'cursor',
  'allowDiskUse',
  'hint',
  'bypassDocumentValidation',
  'collation',
  'let',
];

export const aggregate: Command = {
  readConcernLevels: ['local', 'majority', 'linearizable', 'available', 'snapshot'],
  options: AGGREGATE_OPTIONS,
  isAllowedInTransaction: true,
  run(request) {
    const { body, engine } = request;
    const stages = documentsOption(body, 'pipeline');
    const isStream = isChangeStream(stages);
    if (typeof body.aggregate !== 'string' && !isStream) throw notSupported('an aggregation without a collection');
    if (!isDocument(body.cursor)) {
      throw new CommandError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
    }
    checkCursor(body);
    if (isStream) {
      refuseCollation(body);
      refuseLet(body);
      return openStream(request, stages);
    }
    if (stages.some((stage) => '$changeStream' in stage)) throw stageNotFirst();
    const progress = readerProgressOf(request);
    const planned = planAggregate(request, body, progress);
    const batchSize = countOption(body.cursor, 'batchSize');
    const open = (rows: Iterable<Uint8Array | Pause>): Reply | Promise<Reply> =>
      engine.cursors.open({
        ns: namespaceOf(request),
        rows,
        batchSize,
        sessionId: request.sessionId,
        transaction: request.transaction,
        api: request.api,
        atClusterTime: request.snapshot?.time,
        readsDurable: request.readsDurable,
        progress,
      });
    return open(planned.rows());
  },
};

export interface PlannedPipeline {
  plan: Plan;
  pipeline: CompiledPipeline;
  /** Whether no stages follow the plan, so that stored documents are sent unchanged. */
  isPlain: boolean;
  /** Whether only the number of documents is requested. */
  counted: CountedField | undefined;
  run(): Documents;
  /** Like {@link run}, with encoded results. */
  rows(): Generator<Uint8Array | Pause>;
}

/** @throws CommandError for an invalid batch size, and for other fields of `cursor` */
export function checkCursor({ cursor }: Document): void {
  refuseUnknown("'cursor'", cursor, ['batchSize']);
  countOption(cursor, 'batchSize');
}

/** Plans the leading stages of a pipeline as a query; the other stages process its results. */
export function planAggregate(request: Request, body: Document, progress: Progress): PlannedPipeline {
  refuseCollation(body);
  return planPipeline(request, body, { progress, context: commandContext(body) });
}

function planPipeline(
  request: Request,
  body: Document,
  { progress, context }: { progress: Progress; context: CompileContext },
): PlannedPipeline {
  const stages = documentsOption(body, 'pipeline');
  const planInner = (collection: string, inner: Document[]): PlannedPipeline =>
    planPipeline(request, { aggregate: collection, pipeline: inner }, { progress, context: atExecution(context) });
  const environment: PipelineEnvironment = {
    lookup: (collection, inner) => planInner(collection, inner).run(),
    isTimeUp: (weight = 1) => isTimeUp(progress, weight),
    allowedElements: () => progress.allowedElements,
  };
  const pipeline = compilePipeline(stages, environment, context);
  const plan = planFor(
    request,
    {
      ns: `${request.db}.${body.aggregate}`,
      filter: pipeline.filter,
      sort: pipeline.sort,
      hint: body.hint,
      context,
    },
    pipeline.compiled,
  );
  const counted = countedField(stages, pipeline);
  const run = (): Documents =>
    counted
      ? countRow(counted, countWithPauses(plan, viewOf(request), progress))
      : pipeline.rest(documents(request, plan, pipeline, progress));
  const undecoded = parseUndecoded(stages.slice(pipeline.taken));
  return {
    plan,
    pipeline,
    isPlain: pipeline.taken === stages.length,
    counted,
    run,
    *rows() {
      if (!undecoded) {
        yield* encoded(run(), progress);
        return;
      }
      for (const bytes of rawRows(request, { plan, pipeline }, progress)) yield bytes && undecoded.wrap(bytes);
      for (const { coll, pipeline: inner } of undecoded.unions) yield* planInner(coll, inner).rows();
    },
  };
}

const windowed = <Item>(items: Iterable<Item>, { skip = 0, limit }: CompiledPipeline): Iterable<Item> =>
  window(items, skip, limit ?? Number.POSITIVE_INFINITY);

const FIRST_READ = 32;
const MOST_READ = 1024;

function* documents(
  request: Request,
  plan: Plan,
  pipeline: CompiledPipeline,
  progress: Progress,
): Generator<Document | Pause> {
  const bound = (pipeline.skip ?? 0) + (pipeline.limit ?? Number.POSITIVE_INFINITY);
  const rows = windowed(runPausing(plan, viewOf(request), progress, bound), pipeline);
  for (const row of readAhead(rows)) yield row && decodeCounted(row.bytes, progress);
}

/** Reads in growing batches ahead of the stages, as MongoDB does: a read error is reported before a stage's error. */
function* readAhead<Item>(items: Iterable<Item | Pause>): Generator<Item | Pause> {
  let batch: Item[] = [];
  let size = FIRST_READ;
  for (const item of items) {
    if (item === undefined) {
      yield undefined;
      continue;
    }
    batch.push(item);
    if (batch.length < size) continue;
    yield* batch;
    batch = [];
    size = Math.min(size * 2, MOST_READ);
  }
  yield* batch;
}

function* rawRows(
  request: Request,
  { plan, pipeline }: Pick<PlannedPipeline, 'plan' | 'pipeline'>,
  progress: Progress,
): Generator<Uint8Array | Pause> {
  const bound = (pipeline.skip ?? 0) + (pipeline.limit ?? Number.POSITIVE_INFINITY);
  for (const row of windowed(runPausing(plan, viewOf(request), progress, bound), pipeline)) yield row?.bytes;
}

function* encoded(items: Documents, progress: Progress): Generator<Uint8Array | Pause> {
  for (const item of items) {
    const bytes = item && encode(item, { allowed: () => progress.allowedElements });
    yield bytes;
    if (bytes && isTimeUp(progress, 1 + bytes.length / 4096)) yield undefined;
  }
}

interface CountedField {
  id: unknown;
  name: string;
}

/** Recognizes `[{$match}, {$group: {_id: <constant>, n: {$sum: 1}}}]`, which drivers send for countDocuments. */
function countedField(stages: readonly Document[], pipeline: CompiledPipeline): CountedField | undefined {
  const last = stages.at(-1)?.$group;
  if (!isDocument(last) || pipeline.skip !== undefined || pipeline.limit !== undefined) return undefined;
  if (pipeline.taken !== stages.length - 1) return undefined;
  const { _id: id, ...rest } = last;
  const [[name, accumulator] = [], ...others] = Object.entries(rest);
  const isConstant = id === null || isNumber(id);
  const isCount = isDocument(accumulator) && Object.keys(accumulator).length === 1 && isNumber(accumulator.$sum);
  if (!isConstant || !isCount || others.length > 0 || toNumber(accumulator.$sum) !== 1) return undefined;
  return { id, name: name! };
}

function* countRow({ id, name }: CountedField, counting: Generator<Pause, number>): Generator<Document | Pause> {
  const count = yield* counting;
  if (count > 0) yield { _id: id, [name]: count };
}
