import type { Document } from 'bson';
import { entriesOf, type Filter, isDocument, takeSpentSteps, typeOf } from '../../lib/index.ts';
import { captureVariables } from '../expression/expression.ts';
import { deferFoldErrors } from '../expression/expression-fold.ts';
import { compileByteMatcher } from './filter-bytes.ts';
import { compileDocumentMatcher } from './filter-match.ts';
import { inOrderOfErrors, inServerOrder, usesExpression } from './filter-order.ts';
import { parseFilter } from './filter-parse.ts';

/**
 * Compiles a filter document. No part of it is run as JavaScript.
 *
 * @throws CommandError 2 for an operator that is not supported, MongoDB's code for a malformed one
 */
export function compileFilter(filter: Document): Filter {
  takeSpentSteps();
  const parsed = parseFilter(filter);
  const node = inOrderOfErrors(parsed);
  // Compiled on first use: a query that is answered from an index never matches a document.
  const matcher = lazily(() => compileDocumentMatcher(node));
  if (usesExpression(node)) deferFoldErrors(matcher);
  // An invalid expression is an error even if the rest of the filter makes it irrelevant.
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

/** The index of the matching array element, to which `$` in an update path refers. */
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
