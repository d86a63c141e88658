import { type Document, Int32, Long } from 'bson';
import {
  assertFewElements,
  CommandError,
  describe,
  entriesOf,
  gather,
  type IsTimeUp,
  isDocument,
  isNumber,
  neverPause,
  notSupported,
  type Pause,
  StageMemory,
  sortWithPauses,
  toNumber,
} from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { compileDocumentMatcher } from '../filter/document-matcher.ts';
import { inOrderOfErrors } from '../filter/evaluation-order.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { compileSort } from '../sort.ts';
import { compileDocumentStage, isDocumentStageName, stageEntry } from './document-stages.ts';
import { compileGroup } from './group-stage.ts';
import { compileFacet, compileLookup, compileUnionWith, type JoinTools } from './join-stages.ts';
import { sizeOf } from './memory-size.ts';
import { compileUnwind } from './unwind-stage.ts';

/** The services of the engine that stages use. */
export interface PipelineEnvironment {
  /** Runs a pipeline over another collection of the same database. */
  lookup(collection: string, pipeline: Document[]): Documents;
  /** No pauses if it is absent. */
  isTimeUp?: IsTimeUp;
  /** The element limit of a result if it is above the default. */
  allowedElements?: () => number;
}

/** Documents, with the pauses between them. */
export type Documents = Iterable<Document | Pause>;
export type Stage = (input: Documents) => Documents;
export type CompileStages = (stages: readonly Document[], tools: JoinTools) => Stage;

type CompileStage = (argument: unknown, tools: JoinTools) => Stage;

const match: CompileStage = (argument, { context, variables, isTimeUp }) => {
  const node = inOrderOfErrors(parseFilter(matchFilter(argument)), context);
  const matches = compileDocumentMatcher(node, { context, variables });
  return function* (input) {
    for (const document of input) {
      if (document === undefined || matches(document)) yield document;
      if (isTimeUp()) yield undefined;
    }
  };
};

export function matchFilter(argument: unknown): Document {
  if (!isDocument(argument)) throw new CommandError(15959, 'the match filter must be an expression in an object');
  return argument;
}

export function sortSpec(argument: unknown): Document {
  if (!isDocument(argument)) throw new CommandError(15973, 'the $sort key specification must be an object');
  if (Object.keys(argument).length === 0) throw new CommandError(15976, '$sort stage must have at least one sort key');
  compileSort(argument);
  return argument;
}

const sort: CompileStage = (argument, { isTimeUp }) => {
  const { keyOf, compareKeys } = compileSort(sortSpec(argument));
  return function* (input) {
    const memory = new StageMemory('$sort');
    const sizes: number[] = [];
    const documents = yield* gather(input, isTimeUp, (document) => {
      const size = sizeOf(document);
      sizes.push(size);
      memory.add(size);
    });
    const keyed: { document: Document; key: unknown[]; size: number }[] = [];
    for (const [i, document] of documents.entries()) {
      keyed.push({ document, key: keyOf(document), size: sizes[i]! });
      if (isTimeUp()) yield undefined;
    }
    const sorted = sortWithPauses(keyed, {
      compare: (a, b) => compareKeys(a.key, b.key),
      sizeOf: ({ size }) => size,
      isTimeUp,
    });
    for (const { document } of yield* sorted) {
      yield document;
    }
  };
};

export function skipCount(argument: unknown): number {
  if (!isNumber(argument))
    throw new CommandError(
      5107200,
      `invalid argument to $skip stage: Expected a number in: $skip: ${describe(argument)}`,
    );
  const count = toNumber(argument);
  if (!Number.isInteger(count) || count < 0)
    throw new CommandError(
      5107200,
      `invalid argument to $skip stage: Expected a non-negative number in: $skip: ${describe(argument)}`,
    );
  return count;
}

export function limitCount(argument: unknown): number {
  if (!isNumber(argument))
    throw new CommandError(
      5107201,
      `invalid argument to $limit stage: Expected a number in: $limit: ${describe(argument)}`,
    );
  const count = toNumber(argument);
  if (!Number.isInteger(count) || count < 0)
    throw new CommandError(
      5107201,
      `invalid argument to $limit stage: Expected a non-negative number in: $limit: ${describe(argument)}`,
    );
  if (count === 0) throw new CommandError(15958, 'the limit must be positive');
  return count;
}

const skip: CompileStage = (argument) => {
  const count = skipCount(argument);
  return function* (input) {
    let seen = 0;
    for (const document of input) if (document === undefined || seen++ >= count) yield document;
  };
};

const limit: CompileStage = (argument) => {
  const count = limitCount(argument);
  return function* (input) {
    let seen = 0;
    for (const document of input) {
      yield document;
      if (document !== undefined && ++seen >= count) return;
    }
  };
};

const count: CompileStage = (argument) => {
  if (typeof argument !== 'string') throw new CommandError(40156, 'the count field must be a non-empty string');
  if (argument === '') throw new CommandError(40157, 'the count field must be a non-empty string');
  if (argument.startsWith('$')) throw new CommandError(40158, 'the count field cannot be a $-prefixed path');
  if (argument.includes('\0')) throw new CommandError(40159, 'the count field cannot contain a null byte');
  if (argument.includes('.')) throw new CommandError(40160, "the count field cannot contain '.'");
  return function* (input) {
    let total = 0;
    for (const document of input) {
      if (document === undefined) yield undefined;
      else total++;
    }
    if (total > 0) yield { [argument]: total > 0x7fffffff ? Long.fromNumber(total) : new Int32(total) };
  };
};

const sortByCount: CompileStage = (argument, tools) => {
  const isExpression = isDocument(argument) && Object.keys(argument)[0]?.startsWith('$');
  if (isDocument(argument) && !isExpression)
    throw new CommandError(
      40147,
      'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
    );
  if (typeof argument === 'string' && !argument.startsWith('$'))
    throw new CommandError(
      40148,
      'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
    );
  if (typeof argument !== 'string' && !isDocument(argument))
    throw new CommandError(40149, 'the sortByCount field must be specified as a string or as an object');
  const group = compileGroup({ _id: argument, count: { $sum: new Int32(1) } }, tools);
  const order = sort({ count: -1 }, tools);
  return (input) => order(group(input));
};

const sample: CompileStage = (argument, { isTimeUp }) => {
  if (!isDocument(argument)) throw new CommandError(28745, 'the $sample stage specification must be an object');
  const stray = entriesOf(argument).find(([name]) => name !== 'size');
  if (stray) throw new CommandError(28748, `unrecognized option to $sample: ${stray[0]}`);
  if (!('size' in argument)) throw new CommandError(28749, '$sample stage must specify a size');
  if (!isNumber(argument.size)) throw new CommandError(28746, 'size argument to $sample must be a number');
  const size = Math.trunc(toNumber(argument.size));
  if (size < 0) throw new CommandError(28747, 'size argument to $sample must not be negative');
  return function* (input) {
    const memory = new StageMemory('$sample');
    const documents = yield* gather(input, isTimeUp, (document) => memory.add(sizeOf(document)));
    for (let i = 0; i < Math.min(size, documents.length); i++) {
      const chosen = i + Math.floor(Math.random() * (documents.length - i));
      [documents[i], documents[chosen]] = [documents[chosen]!, documents[i]!];
    }
    yield* documents.slice(0, size);
  };
};

const STAGES: Readonly<Record<string, CompileStage>> = {
  $match: match,
  $sort: sort,
  $skip: skip,
  $limit: limit,
  $count: count,
  $sortByCount: sortByCount,
  $sample: sample,
  $group: compileGroup,
  $unwind: compileUnwind,
  $lookup: compileLookup,
  $unionWith: compileUnionWith,
  $facet: compileFacet,
};

/** Whether a stage of this name is supported. */
export const isStageName = (name: string): boolean => Object.hasOwn(STAGES, name);

function compileStage(stage: Document, tools: JoinTools): Stage {
  const [name, argument] = stageEntry(stage);
  const each = compileDocumentStage(name, argument, tools);
  if (each) {
    return function* (input) {
      for (const document of input) {
        const changed = document && each(document);
        // A document may contain itself many times.
        if (changed) assertFewElements(changed, { allowed: tools.environment.allowedElements });
        yield changed;
        if (tools.isTimeUp()) yield undefined;
      }
    };
  }
  const compile = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
  if (!compile) throw unknownStage(name);
  return compile(argument, tools);
}

/** The maximum number of stages, as in MongoDB. */
const MAX_STAGES = 1000;

/** Checks all names before any argument. @throws CommandError 40324 for an unknown stage */
export function assertStageNames(stages: readonly Document[]): void {
  if (stages.length > MAX_STAGES) {
    throw new CommandError(7749501, `Pipeline length must be no longer than ${MAX_STAGES} stages`);
  }
  for (const stage of stages) {
    const [name] = stageEntry(stage);
    if (!isStageName(name) && !isDocumentStageName(name)) throw unknownStage(name);
  }
}

const unknownStage = (name: string): CommandError => notSupported(`Unrecognized pipeline stage name: '${name}'`, 40324);

/** Compiles stages into one function; the values of their variables are known. */
export const compileStages: CompileStages = (stages, tools) => {
  assertStageNames(stages);
  const isSort = (stage: Document | undefined): boolean => stage !== undefined && '$sort' in stage;
  // Only the last of several consecutive sorts takes effect.
  const compiled = stages
    .map((stage) => compileStage(stage, tools))
    .filter((_, i) => !(isSort(stages[i]) && isSort(stages[i + 1])));
  return (input) => compiled.reduce((documents, stage) => stage(documents), input);
};

export const joinTools = (environment: PipelineEnvironment, context: CompileContext): JoinTools => ({
  environment,
  context,
  variables: {},
  isTimeUp: environment.isTimeUp ?? neverPause,
  compileStages,
});
