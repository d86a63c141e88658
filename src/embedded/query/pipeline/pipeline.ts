import type { Document } from 'bson';
import type { Filter } from '../../lib/index.ts';
import { type CompileContext, deferFoldErrors } from '../compile-context.ts';
import { compileFilter } from '../filter/filter.ts';
import { stageEntry } from './document-stages.ts';
import {
  assertStageNames,
  compileStages,
  type Documents,
  joinTools,
  limitCount,
  matchFilter,
  type PipelineEnvironment,
  skipCount,
  sortSpec,
} from './stages.ts';

export type { PipelineEnvironment } from './stages.ts';

export interface CompiledPipeline {
  /** The leading stages that the planner executes, in the order filter, sort, skip, limit. */
  filter?: Document;
  /** The compiled filter, if it is a single `$match`. */
  compiled?: Filter;
  sort?: Document;
  skip?: number;
  limit?: number;
  /** The number of these stages. */
  taken: number;
  /** The remaining stages, applied to the planner's results. */
  rest(input: Documents): Documents;
}

/**
 * Compiles an aggregation pipeline. Documents are streamed; only sorting, grouping, sampling and facets hold them.
 *
 * @throws CommandError 40324 for a stage that writes, or that this engine does not support
 */
export const compilePipeline = (
  stages: Document[],
  environment: PipelineEnvironment,
  context: CompileContext,
): CompiledPipeline => deferFoldErrors(context, (deferring) => compile(stages, environment, deferring));

function compile(stages: Document[], environment: PipelineEnvironment, context: CompileContext): CompiledPipeline {
  const entries = stages.map(stageEntry);
  assertStageNames(stages);
  const pushed: Omit<CompiledPipeline, 'rest' | 'taken'> = {};
  let at = 0;
  const filters: Document[] = [];
  const compiled: Filter[] = [];
  // A filter after the sort is moved before it: fewer documents to sort, and none with arrays that cannot be sorted.
  // The last of several sorts takes effect.
  for (; entries[at]?.[0] === '$match' || entries[at]?.[0] === '$sort'; at++) {
    const [name, argument] = entries[at]!;
    if (name === '$sort') {
      pushed.sort = sortSpec(argument);
      continue;
    }
    const filter = matchFilter(argument);
    compiled.push(compileFilter(filter, context));
    filters.push(filter);
  }
  if (filters.length > 0) pushed.filter = filters.length === 1 ? filters[0]! : { $and: filters };
  if (compiled.length === 1) pushed.compiled = compiled[0]!;
  if (entries[at]?.[0] === '$skip') pushed.skip = skipCount(entries[at++]![1]);
  // The lowest of several limits takes effect.
  for (; entries[at]?.[0] === '$limit'; at++) {
    pushed.limit = Math.min(limitCount(entries[at]![1]), pushed.limit ?? Number.POSITIVE_INFINITY);
  }
  return { ...pushed, taken: at, rest: compileStages(stages.slice(at), joinTools(environment, context)) };
}
