import type { Document } from 'bson';
import { notSupported } from './errors.ts';

/** What a pipeline may ask of the engine. */
export interface PipelineEnvironment {
  /** Runs a pipeline over another collection of the same database. */
  lookup(collection: string, pipeline: Document[]): Iterable<Document>;
}

export interface CompiledPipeline {
  /** What stood first in the pipeline and is left to the planner, in the order filter, sort, skip, limit. */
  filter?: Document;
  sort?: Document;
  skip?: number;
  limit?: number;
  /** The remaining stages. */
  rest(input: Iterable<Document>): Iterable<Document>;
}

export function compilePipeline(_stages: Document[], _environment: PipelineEnvironment): CompiledPipeline {
  throw notSupported('aggregate');
}
