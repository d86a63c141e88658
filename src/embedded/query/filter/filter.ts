import type { Document } from 'bson';
import { entriesOf, type Filter, isDocument, takeSpentSteps, typeOf } from '../../lib/index.ts';
import { captureVariables } from '../expression/expression.ts';
import { deferFoldErrors } from '../expression/expression-fold.ts';
import { compileByteMatcher } from './filter-bytes.ts';
import { compileDocumentMatcher } from './filter-match.ts';
import { inOrderOfErrors, inServerOrder, usesExpression } from './filter-order.ts';
import { parseFilter } from './filter-parse.ts';

/**
 * Compiles a filter document. Operators outside the supported set are refused by name (code 2), malformed ones with
 * MongoDB's code. The result never evaluates text as a program.
 */
export function compileFilter(filter: Document): Filter {
  takeSpentSteps();
  const parsed = parseFilter(filter);
  const node = inOrderOfErrors(parsed);
  // A query whose index answers everything never matches a document, so neither matcher is made before it is needed.
  const matcher = lazily(() => compileDocumentMatcher(node));
  if (usesExpression(node)) deferFoldErrors(matcher);
  // What is wrong with an expression is told also where the rest of the filter makes it idle.
  else if (usesExpression(parsed)) deferFoldErrors(() => compileDocumentMatcher(parsed));
  const withKnown = captureVariables();
  const byteMatcher = lazily(() => withKnown(() => compileByteMatcher(node)));
  return {
    node,
    isById: isById(filter),
    matches: (document) => matcher()(document),
    matchesBytes: (bytes) => byteMatcher()(bytes),
  };
}

function isById(filter: Document): boolean {
  const [[name, value] = [], ...others] = entriesOf(filter);
  if (name !== '_id' || others.length > 0 || value === null || Array.isArray(value)) return false;
  return isDocument(value) ? !Object.keys(value)[0]?.startsWith('$') : typeOf(value) !== 'regex';
}

function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

const positions = new WeakMap<Filter, ReturnType<typeof compileDocumentMatcher>>();

/** The index of the array element by which the document matched: what the update path `$` stands for. */
export function matchedPosition(filter: Filter, document: Document): number | undefined {
  let matches = positions.get(filter);
  if (!matches) {
    matches = compileDocumentMatcher(inServerOrder(filter.node));
    positions.set(filter, matches);
  }
  const record: { position?: number } = {};
  matches(document, record);
  return record.position;
}
