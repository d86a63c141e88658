import type { Document } from 'bson';
import {
  CommandError,
  ElementCount,
  entriesOf,
  failedToParse,
  gather,
  type IsTimeUp,
  isDocument,
  notSupported,
  StageMemory,
  typeMismatch,
  typeOf,
  valuesAt,
} from '../../lib/index.ts';
import { atExecution, type CompileContext, withoutFolding } from '../compile-context.ts';
import { compileExpression, type Variables } from '../expression/expression.ts';
import { fieldPathParts } from '../expression/field-path.ts';
import { checkVariableName } from '../expression/operator.ts';
import { sizeOf } from './memory-size.ts';
import type { CompileStages, PipelineEnvironment, Stage } from './stages.ts';
import { withValue } from './unwind-stage.ts';

export interface JoinTools {
  environment: PipelineEnvironment;
  context: CompileContext;
  variables: Variables;
  isTimeUp: IsTimeUp;
  compileStages: CompileStages;
}

/**
 * Compiles `$lookup` by equal fields, by a pipeline with `let`, or both. The leading stages of the pipeline are
 * executed by the planner, which may use an index; the rest is compiled here for the variables of each document.
 */
export function compileLookup(argument: unknown, tools: JoinTools): Stage {
  const spec = parseLookup(argument);
  const names = Object.keys(tools.variables);
  const bindings = spec.bindings.map(
    ([name, value]) => [name, compileExpression(value, tools.context, names)] as const,
  );
  const declared = Object.fromEntries(spec.bindings.map(([name]) => [name, undefined]));
  // Only validates the pipeline. As in MongoDB, its constants are folded when the first document is joined.
  tools.compileStages(spec.pipeline, {
    ...tools,
    context: withoutFolding(tools.context),
    variables: { ...tools.variables, ...declared },
  });
  const context = atExecution(tools.context);
  return function* (input) {
    for (const document of input) {
      if (document === undefined || tools.isTimeUp()) yield undefined;
      if (document === undefined) continue;
      const values = bindings.map(([name, evaluate]) => [name, evaluate(document, tools.variables)]);
      const variables = { ...tools.variables, ...Object.fromEntries(values) };
      const { pushed, rest } = splitPlannable(spec.pipeline);
      const joined =
        spec.localField === undefined ? [] : [{ $match: joinFilter(document, spec.localField, spec.foreignField!) }];
      const found = tools.environment.lookup(spec.from, [...joined, ...pushed]);
      const memory = new StageMemory('$lookup');
      const stages = tools.compileStages(rest, { ...tools, context, variables });
      const elements = new ElementCount({ allowed: tools.environment.allowedElements });
      const matched = yield* gather(stages(found), tools.isTimeUp, (one) => {
        elements.add(one);
        memory.add(sizeOf(one));
      });
      yield withValue(document, spec.as, matched);
    }
  };
}

interface LookupSpec {
  from: string;
  as: string[];
  localField?: string;
  foreignField?: string;
  bindings: [string, unknown][];
  pipeline: Document[];
}

function parseLookup(argument: unknown): LookupSpec {
  if (!isDocument(argument))
    throw failedToParse(`the $lookup stage specification must be an object, but found ${typeOf(argument)}`);
  const { from, as, localField, foreignField, let: bindings, pipeline, ...others } = argument;
  const stray = Object.keys(others)[0];
  if (stray) throw failedToParse(`unknown argument to $lookup: ${stray}`);
  for (const [name, value] of Object.entries({ as, localField, foreignField })) {
    if (value !== undefined && typeof value !== 'string')
      throw failedToParse(`$lookup argument '${name}' must be a string, found ${typeOf(value)}`);
  }
  if (from !== undefined && typeof from !== 'string')
    throw failedToParse(`$lookup argument 'from' must be a string, found ${typeOf(from)}`);
  if (as === undefined) throw failedToParse("must specify 'as' field for a $lookup");
  if (from === undefined) throw notSupported("$lookup without 'from'", 9);
  if (
    (localField === undefined) !== (foreignField === undefined) ||
    (localField === undefined && pipeline === undefined)
  ) {
    throw failedToParse("$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
  }
  if (pipeline !== undefined && !Array.isArray(pipeline))
    throw typeMismatch("'pipeline' option must be specified as an array");
  if (bindings !== undefined && !isDocument(bindings))
    throw failedToParse(`$lookup argument 'let: ${String(bindings)}' must be an object, is type ${typeOf(bindings)}`);
  if (bindings !== undefined && pipeline === undefined)
    throw failedToParse("$lookup with a 'let' argument must also specify 'pipeline'");
  for (const name of Object.keys(bindings ?? {})) checkVariableName(name);
  return {
    from,
    as: fieldPathParts(as),
    ...(localField === undefined ? {} : { localField, foreignField }),
    bindings: entriesOf(bindings ?? {}),
    pipeline: pipeline ?? [],
  };
}

/** Splits off the leading filters that use no variables, for the planner. */
function splitPlannable(pipeline: Document[]): { pushed: Document[]; rest: Document[] } {
  const end = pipeline.findIndex(
    (stage) => !isDocument(stage.$match) || JSON.stringify(stage.$match).includes('"$expr"'),
  );
  const count = end < 0 ? pipeline.length : end;
  return { pushed: pipeline.slice(0, count), rest: pipeline.slice(count) };
}

/** An array joins by each of its elements; a missing field joins like null. */
function joinFilter(document: Document, localField: string, foreignField: string): Document {
  const values = localValues(document, localField);
  const conditions = values.map((value) => ({ [foreignField]: { $eq: value } }));
  if (conditions.length === 1) return conditions[0]!;
  const plain = values.filter((value) => typeOf(value) !== 'regex');
  if (plain.length === values.length) return { [foreignField]: { $in: values } };
  return { $or: conditions };
}

function localValues(document: Document, localField: string): unknown[] {
  const values = valuesAt(document, localField);
  return values.length === 0 ? [null] : values;
}

/** Compiles `$unionWith`: the documents so far, followed by those of the other collection. */
export function compileUnionWith(argument: unknown, tools: JoinTools): Stage {
  const given = typeof argument === 'string' ? { coll: argument } : argument;
  if (!isDocument(given))
    throw failedToParse(
      `the $unionWith stage specification must be an object or string, but found ${typeOf(argument)}`,
    );
  const { coll, pipeline = [], ...others } = given;
  const stray = Object.keys(others)[0];
  if (stray) throw new CommandError(40415, `BSON field '$unionWith.${stray}' is an unknown field.`);
  if (typeof coll !== 'string') throw notSupported('$unionWith without a collection', 9);
  if (!Array.isArray(pipeline)) throw new CommandError(10065, 'the pipeline of $unionWith must be an array');
  tools.compileStages(pipeline, tools);
  return function* (input) {
    yield* input;
    yield* tools.environment.lookup(coll, pipeline);
  };
}

const NOT_IN_FACET = new Set(['$facet', '$out', '$merge', '$geoNear', '$indexStats', '$collStats', '$changeStream']);

/** Compiles `$facet`: several pipelines over the same documents, each with an array as its result. */
export function compileFacet(argument: unknown, tools: JoinTools): Stage {
  if (!isDocument(argument) || Object.keys(argument).length === 0)
    throw new CommandError(40169, `the $facet specification must be a non-empty object`);
  const facets = entriesOf(argument).map(([name, pipeline]) => {
    if (!Array.isArray(pipeline))
      throw new CommandError(40170, `arguments to $facet must be arrays, ${name} is type ${typeOf(pipeline)}`);
    const parts = fieldPathParts(name);
    if (parts.length > 1)
      throw new CommandError(
        16412,
        "FieldPath field names may not contain '.'. Consider using $getField or $setField.",
      );
    const banned = pipeline
      .flatMap((stage) => (isDocument(stage) ? Object.keys(stage) : []))
      .find((stage) => NOT_IN_FACET.has(stage));
    if (banned) throw new CommandError(40600, `${banned} is not allowed to be used within a $facet stage`);
    return [parts, tools.compileStages(pipeline, tools)] as const;
  });
  return function* (input) {
    const memory = new StageMemory('$facet');
    const documents = yield* gather(input, tools.isTimeUp, (document) => memory.add(sizeOf(document)));
    const elements = new ElementCount({ allowed: tools.environment.allowedElements });
    const count = (document: Document): void => {
      elements.add(document);
      memory.add(sizeOf(document));
    };
    let result: Document = {};
    for (const [parts, run] of facets)
      result = withValue(result, parts, yield* gather(run(documents), tools.isTimeUp, count));
    yield result;
  };
}
