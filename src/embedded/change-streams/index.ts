/** Change streams: resume tokens, event pipelines, and open streams. */

export { compileEventPipeline, stageNotFirst } from './event-pipeline.ts';
export { parseOptions } from './options.ts';
export { scopeOf } from './scope.ts';
export { createStream } from './stream.ts';
export { createStreams, type Streams } from './streams.ts';
