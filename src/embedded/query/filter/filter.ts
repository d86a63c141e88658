import type { Document } from 'bson';
import { entriesOf, type Filter, isDocument, takeSpentSteps, typeOf } from '../../lib/index.ts';
import { atExecution, type CompileContext, DEFAULT_CONTEXT, deferFoldErrors } from '../compile-context.ts';
import { compileByteMatcher } from './byte-matcher.ts';
import { compileDocumentMatcher, type DocumentMatcher, type MatchRecord } from './document-matcher.ts';
import { inOrderOfErrors, inServerOrder, usesExpression } from './evaluation-order.ts';
import { parseFilter } from './parse-filter.ts';

/**
 * Compiles a filter document. No part of it is run as JavaScript.
 *
 * @throws CommandError 2 for an operator that is not supported, MongoDB's code for a malformed one
 */
export function compileFilter(filter: Document, context: CompileContext): Filter {
  takeSpentSteps();
  const parsed = parseFilter(filter);
  const node = inOrderOfErrors(parsed, context);
  // An invalid expression is an error even if the rest of the filter makes it irrelevant.
  const checked = usesExpression(node) ? node : usesExpression(parsed) ? parsed : undefined;
  const compiled =
    checked && deferFoldErrors(context, (deferring) => compileDocumentMatcher(checked, { context: deferring }));
  // Compiled on first use: a query that is answered from an index never matches a document.
  const later = { context: atExecution(context) };
  const matcher = lazily(() => (checked === node && compiled) || compileDocumentMatcher(node, later));
  const byteMatcher = lazily(() => compileByteMatcher(node, later.context));
  const recorder = lazily((): DocumentMatcher => compileDocumentMatcher(inServerOrder(node, later.context), later));
  return {
    node,
    isById: isById(filter),
    matches: (document) => matcher()(document),
    matchesBytes: (bytes) => byteMatcher()(bytes),
    matchedPosition(document) {
      const record: MatchRecord = {};
      recorder()(document, record);
      return record.position;
    },
  };
}

/** Compiles the `partialFilterExpression` of an index. */
export const compileIndexFilter = (expression: Document): Filter => compileFilter(expression, DEFAULT_CONTEXT);

function isById(filter: Document): boolean {
  const [[name, value] = [], ...others] = entriesOf(filter);
  if (name !== '_id' || others.length > 0 || value === null || Array.isArray(value)) return false;
  return isDocument(value) ? !Object.keys(value)[0]?.startsWith('$') : typeOf(value) !== 'regex';
}

function lazily<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
