import type { Document } from 'bson';
import type { Filter } from '../../lib/index.ts';
import { deferFoldErrors } from '../expression/expression-fold.ts';
import { compileFilter } from '../filter/filter.ts';
import { stageEntry } from './stage-documents.ts';
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
  /** What stood first in the pipeline and is left to the planner, to be done in the order filter, sort, skip, limit. */
  filter?: Document;
  /** The filter, where it was compiled whole. */
  compiled?: Filter;
  sort?: Document;
  skip?: number;
  limit?: number;
  /** How many stages that is. */
  taken: number;
  /** The remaining stages, over what the planner found. */
  rest(input: Documents): Documents;
}

/**
 * Compiles an aggregation pipeline. Stages that write, and any that MongoDB knows and this engine does not, are error
 * 40324. Documents stream through; only sorting, grouping, sampling and facets hold them.
 */
export const compilePipeline = (stages: Document[], environment: PipelineEnvironment): CompiledPipeline =>
  deferFoldErrors(() => compile(stages, environment));

function compile(stages: Document[], environment: PipelineEnvironment): CompiledPipeline {
  const entries = stages.map(stageEntry);
  assertStageNames(stages);
  const pushed: Omit<CompiledPipeline, 'rest' | 'taken'> = {};
  let at = 0;
  const filters: Document[] = [];
  const compiled: Filter[] = [];
  // A filter behind the sort goes before it: fewer documents to sort, and none whose arrays cannot be sorted.
  // Of several sorts the last one counts.
  for (; entries[at]?.[0] === '$match' || entries[at]?.[0] === '$sort'; at++) {
    const [name, argument] = entries[at]!;
    if (name === '$sort') {
      pushed.sort = sortSpec(argument);
      continue;
    }
    const filter = matchFilter(argument);
    compiled.push(compileFilter(filter));
    filters.push(filter);
  }
  if (filters.length > 0) pushed.filter = filters.length === 1 ? filters[0]! : { $and: filters };
  if (compiled.length === 1) pushed.compiled = compiled[0]!;
  if (entries[at]?.[0] === '$skip') pushed.skip = skipCount(entries[at++]![1]);
  // Of several limits the lowest counts.
  for (; entries[at]?.[0] === '$limit'; at++) {
    pushed.limit = Math.min(limitCount(entries[at]![1]), pushed.limit ?? Number.POSITIVE_INFINITY);
  }
  return { ...pushed, taken: at, rest: compileStages(stages.slice(at), joinTools(environment)) };
}
