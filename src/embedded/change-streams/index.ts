/** Change streams: resume tokens, event pipelines, and open streams. */

export { parseOptions } from './options.ts';
export { compileEventPipeline, stageNotFirst } from './pipeline.ts';
export { scopeOf } from './scope.ts';
export { createStream } from './stream.ts';
export { createStreams, type Streams } from './streams.ts';
