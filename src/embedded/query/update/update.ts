import { BSON, type Document } from 'bson';
import {
  badValue,
  CommandError,
  describe,
  entriesOf,
  failedToParse,
  fieldOf,
  isDocument,
  notSupported,
  setField,
  shallowCopy,
  spendSteps,
  typeOf,
  type Update,
  type UpdateContext,
  valuesEqual,
} from '../../lib/index.ts';
import { type CompileContext, withoutFolding } from '../compile-context.ts';
import { type ArrayFilters, parseArrayFilters } from '../filter/array-filters.ts';
import { compileDocumentStage, stageEntry } from '../pipeline/document-stages.ts';
import { isStageName } from '../pipeline/stages.ts';
import { documentDelta } from './document-delta.ts';
import { isIdentical } from './identical.ts';
import { modifierParser } from './modifier-parser.ts';
import { operatorDelta } from './operator-delta.ts';
import { addRename } from './rename-modifier.ts';
import { describeDelta } from './update-delta.ts';
import { assertWritable, checkUpdatePath, useArrayFilter } from './update-path.ts';
import { type ApplyState, addModifier, applyNode, sortTree, type UpdateBranch } from './update-tree.ts';

/**
 * Compiles an update: a replacement, update operators, or a pipeline (an array of stages).
 *
 * @throws CommandError 9 for an unknown operator, 40 for conflicting paths, 52 for `$`-prefixed field names; when
 *   applied also 66 for a changed `_id` and 28 for a path through a scalar
 */
export function compileUpdate(
  update: Document | Document[],
  options: { context: CompileContext; arrayFilters?: Document[] },
): Update {
  const isOperators = !Array.isArray(update) && (entriesOf(update)[0]?.[0] ?? '').startsWith('$');
  if (isOperators) return compileOperators(update, options);
  if (options.arrayFilters?.length && Array.isArray(update)) {
    throw failedToParse('Cannot specify arrayFilters and a pipeline update');
  }
  return Array.isArray(update) ? compilePipelineUpdate(update, options.context) : compileReplacement(update);
}

function compilePipelineUpdate(stages: Document[], context: CompileContext): Update {
  const options = { context: withoutFolding(context), variables: {} };
  const compiled = stages.map((stage) => {
    const [name, argument] = stageEntry(stage);
    const each = compileDocumentStage(name, argument, options);
    if (!each) throw notSupported(`${name} in a pipeline update`, isStageName(name) ? 72 : 40324);
    return each;
  });
  /** By result, the output of the stages before `_id` was restored: MongoDB derives the change event from it. */
  const contents = new WeakMap<Document, Document>();
  return {
    kind: 'pipeline',
    apply(document, { isUpsertInsert }) {
      const content = compiled.reduce((current, stage) => stage(current), document);
      if (isSame(document, content)) return document;
      const result = withSameId({ document, content, isUpsertInsert });
      if (Object.keys(content)[0] !== '_id') contents.set(result, content);
      return result;
    },
    describe(before, after) {
      const content = contents.get(after.document);
      const delta = documentDelta(before.bytes, content ? Buffer.from(BSON.serialize(content)) : after.bytes);
      return delta && describeDelta(delta);
    },
  };
}

function compileReplacement(replacement: Document): Update {
  for (const name of Object.keys(replacement)) {
    if (name.startsWith('$')) {
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    }
  }
  return {
    kind: 'replacement',
    apply: (document, { isUpsertInsert }) =>
      isSame(document, replacement) ? document : withSameId({ document, content: replacement, isUpsertInsert }),
    describe: () => undefined,
  };
}

/**
 * Whether MongoDB treats new content as no change: identical content without an `_id` is a change, unless the document
 * has only an `_id`.
 */
function isSame(document: Document, content: Document): boolean {
  if (isIdentical(document, content)) return true;
  return Object.keys(content).length === 0 && Object.keys(document).join() === '_id';
}

interface Renewed {
  document: Document;
  content: Document;
  isUpsertInsert: boolean;
}

/** The new content with the old `_id` as its first field. @throws CommandError 66 if the content has another `_id` */
function withSameId({ document, content, isUpsertInsert }: Renewed): Document {
  const before = fieldOf(document, '_id');
  const named = fieldOf(content, '_id');
  if (named !== undefined) {
    checkId(named, isUpsertInsert ? 54 : 53);
    if (before !== undefined && !valuesEqual(named, before)) {
      throw new CommandError(
        66,
        `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${describe(named)}`,
      );
    }
  }
  const id = named === undefined ? before : named;
  const result: Document = id === undefined ? {} : { _id: id };
  for (const [name, value] of entriesOf(content)) if (name !== '_id') setField(result, name, value);
  return result;
}

/** Asserts that an `_id` is not an array, a regular expression or undefined. MongoDB has two codes for an array. */
export function checkId(id: unknown, codeOfArray: 53 | 54 = 53): void {
  const type = typeOf(id);
  if (type === 'array') throw new CommandError(codeOfArray, `The '_id' value cannot be of type ${type}`);
  if (type === 'regex') throw new CommandError(53, `The '_id' value cannot be of type ${type}`);
  if (isDocument(id)) {
    const name = Object.keys(id).find((key) => key.startsWith('$'));
    if (name)
      throw new CommandError(52, `The dollar ($) prefixed field '${name}' in '_id.${name}' is not valid for storage.`);
  }
}

/** Evaluation steps for compiling and applying the change of one path. */
const MODIFIER_STEPS = 40;

function compileOperators(update: Document, options: { context: CompileContext; arrayFilters?: Document[] }): Update {
  const root: UpdateBranch = { kind: 'branch', path: '', children: new Map() };
  const arrayFilters = parseArrayFilters(options.arrayFilters ?? [], options.context);
  const written: string[] = [];
  for (const [name, argument] of entriesOf(update)) {
    if (name !== '$rename') modifierParser(name);
    if (!isDocument(argument)) {
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeOf(argument)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${describe(argument)}}`,
      );
    }
    for (const [path, value] of entriesOf(argument)) {
      spendSteps(MODIFIER_STEPS + path.length / 4);
      checkUpdatePath(path);
      if (name !== '$unset') written.push(path);
      if (name === '$rename') {
        spendSteps(2 * MODIFIER_STEPS);
        addRename(root, path, value);
      } else
        addModifier(root, path, modifierParser(name)(value, path, options.context), (part) =>
          useArrayFilter(part, path, arrayFilters),
        );
    }
  }
  arrayFilters.assertAllUsed(update);
  sortTree(root);
  return {
    kind: 'operators',
    apply(document, context) {
      if (!context.isUpsertInsert) written.forEach(assertWritable);
      return applyOperators(root, document, stateOf(document, arrayFilters, context));
    },
    describe: (before, after, context) =>
      describeDelta(
        operatorDelta(root, before.document, after.document, stateOf(before.document, arrayFilters, context)),
      ),
  };
}

const stateOf = (document: Document, filters: ArrayFilters, context: UpdateContext): ApplyState => ({
  original: document,
  isUpsertInsert: context.isUpsertInsert,
  now: new Date(),
  isChosen: (identifier, element) => filters.matches(identifier, element),
  position() {
    const position = context.isUpsertInsert ? undefined : context.filter.matchedPosition(document);
    if (position === undefined) throw badValue('The positional operator did not find the match needed from the query.');
    return position;
  },
});

function applyOperators(root: UpdateBranch, document: Document, state: ApplyState): Document {
  const result = applyNode(root, document, state) as Document;
  const before = fieldOf(document, '_id');
  const after = fieldOf(result, '_id');
  if (before === after) return result;
  if (before !== undefined && !isIdentical(before, after)) {
    throw new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
  const writer = root.children.get('_id');
  const isAdded = writer?.kind === 'leaf' && writer.modifier.isAdding && Array.isArray(after) && after.length > 0;
  checkId(after, isAdded ? 54 : 53);
  return idFirst(result);
}

export function idFirst(document: Document): Document {
  const id = fieldOf(document, '_id');
  return id === undefined || Object.keys(document)[0] === '_id' ? document : shallowCopy({ _id: id, ...document });
}
