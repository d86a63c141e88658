import type { Document } from 'bson';
import { CommandError, describe, entriesOf, isDocument, typeOf } from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { compileExpression, type Evaluate, type Variables } from '../expression/expression.ts';
import { fieldPathParts } from '../expression/field-path.ts';
import { compileProjection } from '../projection/projection.ts';
import {
  addAction,
  applyComputed,
  applyExclusion,
  newTree,
  type ProjectionTree,
} from '../projection/projection-tree.ts';

/** A stage that transforms each document separately. Update pipelines use these stages too. */
export type DocumentStage = (document: Document) => Document;
type CompileDocumentStage = (argument: unknown, options: StageOptions, name: string) => DocumentStage;

/** What the expressions of a stage are compiled with. */
export interface StageOptions {
  context: CompileContext;
  /** The variables of the `$lookup` that contains the stage; available in addition to the document. */
  variables: Variables;
}

const project: CompileDocumentStage = (argument, options, name) => {
  if (!isDocument(argument)) throw new CommandError(15969, `${name} specification must be an object`);
  if (Object.keys(argument).length === 0)
    throw new CommandError(
      51272,
      `Invalid ${name} :: caused by :: projection specification must have at least one field`,
    );
  return compileProjection(argument, { ...options, isAggregation: true }).apply;
};

const addFields: CompileDocumentStage = (argument, options, name) => {
  if (!isDocument(argument))
    throw new CommandError(40272, `${name} specification stage must be an object, got ${typeOf(argument)}`);
  const tree = newTree();
  addComputedFields(tree, argument, [], options);
  return (document) => applyComputed(tree, document, document, options.variables);
};

function addComputedFields(
  tree: ProjectionTree,
  spec: Document,
  parents: readonly string[],
  options: StageOptions,
): void {
  for (const [name, value] of entriesOf(spec)) {
    if (parents.length > 0 && name.includes('.')) {
      throw new CommandError(40183, `cannot use dotted field name '${name}' in a sub object`);
    }
    const parts = [...parents, ...fieldPathParts(name)];
    const names = isDocument(value) ? Object.keys(value) : [];
    if (names.length > 1 && names[0]!.startsWith('$')) {
      throw new CommandError(40181, `an expression specification must contain exactly one field, found: ${names}`);
    }
    const isNested = names.length > 0 && !names[0]!.startsWith('$');
    if (isNested) addComputedFields(tree, value as Document, parts, options);
    else addAction(tree, parts, { kind: 'compute', evaluate: compileWith(options, value) }, 40176);
  }
}

const compileWith = ({ context, variables }: StageOptions, expression: unknown): Evaluate =>
  compileExpression(expression, context, Object.keys(variables));

const unset: CompileDocumentStage = (argument) => {
  const paths = Array.isArray(argument) ? argument : [argument];
  if (!Array.isArray(argument) && typeof argument !== 'string')
    throw new CommandError(31002, '$unset specification must be a string or an array');
  if (paths.length === 0)
    throw new CommandError(31119, '$unset specification must be a string or an array with at least one field');
  const tree = newTree();
  for (const path of paths) {
    if (typeof path !== 'string')
      throw new CommandError(31120, '$unset specification must be a string or an array containing only string values');
    addAction(tree, fieldPathParts(path), { kind: 'exclude' });
  }
  return (document) => applyExclusion(tree, document);
};

const replaceWith: CompileDocumentStage = (argument, options, name) => {
  const evaluate = compileWith(options, argument);
  return (document) => {
    const root = evaluate(document, options.variables);
    if (isDocument(root)) return root;
    throw new CommandError(
      40228,
      `'${name === '$replaceWith' ? 'replacement document' : 'newRoot'} expression' must evaluate to an object, but resulting value was: ${describe(root)}`,
    );
  };
};

const replaceRoot: CompileDocumentStage = (argument, options, name) => {
  if (!isDocument(argument))
    throw new CommandError(40229, `expected an object as specification for ${name} stage, got ${typeOf(argument)}`);
  const stray = Object.keys(argument).find((key) => key !== 'newRoot');
  if (stray) throw new CommandError(40415, `BSON field '${name}.${stray}' is an unknown field.`);
  if (!('newRoot' in argument))
    throw new CommandError(40414, `BSON field '${name}.newRoot' is missing but a required field`);
  return replaceWith(argument.newRoot, options, name);
};

const STAGES: Readonly<Record<string, CompileDocumentStage>> = {
  $project: project,
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $replaceRoot: replaceRoot,
  $replaceWith: replaceWith,
};

export const isDocumentStageName = (name: string): boolean => Object.hasOwn(STAGES, name);

/** Compiles a stage that transforms each document separately; undefined for any other stage. */
export function compileDocumentStage(
  name: string,
  argument: unknown,
  options: StageOptions,
): DocumentStage | undefined {
  return Object.hasOwn(STAGES, name) ? STAGES[name]!(argument, options, name) : undefined;
}

/** The name and argument of a stage. @throws CommandError 40323 unless it has exactly one field */
export function stageEntry(stage: unknown): [name: string, argument: unknown] {
  const entries = isDocument(stage) ? entriesOf(stage) : [];
  if (!isDocument(stage)) throw new CommandError(14, "Each element of the 'pipeline' array must be an object");
  if (entries.length !== 1)
    throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
  return entries[0]!;
}
