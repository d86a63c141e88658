/** The query language: filters, expressions, projections, updates and pipelines, and the plans that execute them. */

export { atExecution, type CompileContext, DEFAULT_CONTEXT, deferFoldErrors } from './compile-context.ts';
export { commandContext } from './expression/command-context.ts';
export { compileFilter, compileIndexFilter } from './filter/filter.ts';
export { stageEntry } from './pipeline/document-stages.ts';
export { type CompiledPipeline, compilePipeline, type PipelineEnvironment } from './pipeline/pipeline.ts';
export { compileStages, type Documents, isStageName, joinTools, matchFilter } from './pipeline/stages.ts';
export type { IndexBounds } from './plan/bounds.ts';
export { countWithPauses } from './plan/count.ts';
export { decode, decodeCounted, encode, versionOf } from './plan/encode.ts';
export { runPausing } from './plan/executor.ts';
export { type Access, type IndexScan, isSameKey, type Plan, planQuery } from './plan/planner.ts';
export {
  isTimeUp,
  newProgress,
  type Progress,
  runWithPauses,
  yieldToEventLoop,
} from './plan/progress.ts';
export { compileProjection } from './projection/projection.ts';
export { compileSort } from './sort.ts';
export { checkId, compileUpdate } from './update/update.ts';
export { assertUpsertable, buildUpsert } from './update/upsert.ts';
