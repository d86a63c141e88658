import { type Document, Int32 } from 'bson';
import { badValue, CommandError, failedToParse, isDocument, notSupported } from '../lib/index.ts';
import { type Access, type IndexScan, newProgress, type Plan, runPausing, yieldToEventLoop } from '../query/index.ts';
import type { Reply } from '../wire/index.ts';
import { checkCursor, planAggregate } from './aggregate.ts';
import { type Command, type Request, readerProgressOf, viewOf } from './command.ts';
import { planCount, planDistinct } from './count.ts';
import { targetOfDelete } from './delete.ts';
import { indexBounds } from './explain-bounds.ts';
import { findRows, planFind } from './find.ts';
import { targetOfModification } from './find-and-modify.ts';
import { planCompiled } from './queries.ts';
import { targetOfUpdate } from './update.ts';

const VERBOSITIES = ['queryPlanner', 'executionStats', 'allPlansExecution'];

export const explain: Command = {
  options: ['verbosity'],
  run(request) {
    const inner = request.body.explain;
    if (!isDocument(inner)) throw failedToParse('explain needs a command');
    const verbosity = request.body.verbosity ?? 'allPlansExecution';
    if (!VERBOSITIES.includes(verbosity)) throw badValue(`explain.verbosity '${verbosity}' is not a valid value`);
    return explainCommand(request, inner, verbosity !== 'queryPlanner');
  },
};

/** The plan of a command and, with `isExecuted`, the cost of reading its documents. */
async function explainCommand(request: Request, inner: Document, isExecuted: boolean): Promise<Reply> {
  const plan = planOf(request, inner);
  const stage = stageOf(plan);
  return {
    explainVersion: '1',
    queryPlanner: {
      namespace: `${request.db}.${Object.values(inner)[0]}`,
      indexFilterSet: false,
      winningPlan: stage,
      rejectedPlans: plan.rejected ? [accessStage(plan.rejected())] : [],
    },
    ...(isExecuted && { executionStats: await executionStats(request, inner, plan, stage) }),
  };
}

function planOf(request: Request, inner: Document): Plan {
  const name = Object.keys(inner)[0] ?? '';
  const ns = `${request.db}.${inner[name]}`;
  switch (name) {
    case 'find':
      return planFind(request, inner);
    case 'aggregate':
      if (inner.cursor != null) checkCursor(inner);
      return planAggregate(request, inner, newProgress()).plan;
    case 'count':
      return planCount(request, inner);
    case 'distinct':
      return planDistinct(request, inner);
    case 'findAndModify':
      return planCompiled(request, targetOfModification(inner, ns));
    case 'update':
      return planCompiled(request, targetOfUpdate(inner, ns));
    case 'delete':
      return planCompiled(request, targetOfDelete(inner, ns));
    default:
      throw name === ''
        ? new CommandError(59, 'Explain failed due to unknown command')
        : notSupported(`explain of ${name}`);
  }
}

async function executionStats(request: Request, inner: Document, plan: Plan, stage: Document): Promise<Document> {
  const progress = readerProgressOf(request);
  const started = performance.now();
  const rows = 'find' in inner ? findRows(request, inner, plan, progress) : runPausing(plan, viewOf(request), progress);
  let nReturned = 0;
  for (const row of rows) {
    if (row) nReturned++;
    else await yieldToEventLoop(progress);
  }
  return {
    executionSuccess: true,
    nReturned,
    executionTimeMillis: Math.round(performance.now() - started),
    totalKeysExamined: progress.keysExamined,
    totalDocsExamined: progress.docsExamined,
    executionStages: stage,
  };
}

/** The plan in MongoDB's format. */
function stageOf({ access, sort, isSorted, filter, collection }: Plan): Document {
  const found = accessStage(access);
  const isEmpty = filter.node.kind === 'and' && filter.node.children.length === 0;
  const filtered = !isEmpty && access.kind === 'collection' ? { ...found, filter: 'residual' } : found;
  if (!sort || isSorted || !collection) return filtered;
  return { stage: 'SORT', sortPattern: Object.fromEntries(sort.fields), inputStage: filtered };
}

function accessStage(access: Access): Document {
  switch (access.kind) {
    case 'nothing':
      return { stage: 'EOF' };
    case 'collection':
      return { stage: 'COLLSCAN', direction: access.isReverse ? 'backward' : 'forward' };
    case 'union':
      return { stage: 'FETCH', inputStage: { stage: 'OR', inputStages: access.scans.map(scanStage) } };
    case 'index':
      return isPointRead(access) ? { stage: 'IDHACK' } : { stage: 'FETCH', inputStage: mergedStage(access) };
  }
}

const isPointRead = ({ index, ranges, isUniquePoint }: IndexScan): boolean =>
  index.name === '_id_' && ranges.length === 1 && isUniquePoint;

const mergedStage = (scan: IndexScan): Document =>
  scan.isMerge ? { stage: 'SORT_MERGE', inputStages: [scanStage(scan)] } : scanStage(scan);

const scanStage = (scan: IndexScan): Document => ({
  stage: 'IXSCAN',
  keyPattern: scan.index.key,
  indexName: scan.index.name,
  isMultiKey: scan.index.multikey.size > 0,
  isUnique: scan.index.isUnique,
  isSparse: scan.index.isSparse,
  isPartial: scan.index.partial !== undefined,
  direction: scan.isReverse ? 'backward' : 'forward',
  indexBounds: indexBounds(scan),
  ranges: new Int32(scan.ranges.length),
});
