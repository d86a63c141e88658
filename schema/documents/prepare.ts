import {
  BREAK,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { isSliceOver, nextSlice } from '../../src/lib/time-slice.ts';
import { createMeasure } from '../../src/limits/cost.ts';
import { exceededLimit } from '../../src/limits/document-limits.ts';
import { ANSWER_LIMITS, OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { boundErrors, tooLarge } from '../bounded-errors.ts';
import { compactDocument } from '../plan/compact-document.ts';
import { createFormStore } from '../plan/forms.ts';
import { createPlans, type Plans } from '../plan/plans.ts';

/** A parsed and validated operation with its execution plans. */
export interface Prepared {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** The root field of the operation, `several` if there are more, for metrics and traces. */
  name: string;
  fragments: { [name: string]: FragmentDefinitionNode };
  /** The document is part of the gateway, so no limits apply. */
  isOwn: boolean;
  plans: Plans;
  measure: ReturnType<typeof createMeasure>;
  /** Estimated heap size of the document, without its plans. */
  bytes: number;
  /** Key in the cache, and the heap size of its plans as counted by the cache. */
  cached: { key: string; planBytes: number } | null;
}

export interface Refused {
  errors: readonly GraphQLError[];
  /** The rejected document, if it could be parsed. */
  document?: DocumentNode;
  /** The request names a document that is not known, and costs no more than a lookup: the client sends the text next. */
  isMiss?: true;
}

export interface PreparerOptions {
  schema: GraphQLSchema;
  /** Whether `__schema` and `__type` can be queried and validation messages suggest names. */
  introspection: boolean;
  /** Documents that may query `__schema` and `__type` even if introspection is off. */
  trustedTexts: ReadonlySet<string>;
}

/** Parses, validates and plans documents, each once while it is cached. */
export interface Preparer {
  /** Prepares the document of a client, from the cache if possible. */
  prepare(source: string, operationName?: string | null): Prepared | Refused;
  /** As `prepare`, but unless the document is cached it yields to the event loop at the end of a time slice, and between the steps for a long document. */
  prepareInTurn(source: string, operationName?: string | null): Prepared | Refused | Promise<Prepared | Refused>;
  /** Prepares a document that is part of the gateway, without limits. */
  prepareOwn(document: DocumentNode): Prepared;
  /** The result of `prepare` for a document that it parsed. */
  preparedOf(document: DocumentNode): Prepared | Refused | undefined;
  /** Plans grow as operations run: the cache counts them, and evicts documents to stay within its bound. */
  countPlans(prepared: Prepared): void;
}

/** Characters from which parsing, validating and measuring a document each get a turn of the event loop. */
const LONG_SOURCE = 4_096;
const MAX_CACHED = 500;
/** Maximum total heap size of prepared documents. */
const MAX_CACHED_BYTES = 8 * 1_048_576;

export function createPreparer({ schema, introspection, trustedTexts }: PreparerOptions): Preparer {
  const cache = new LRUCache<string, Prepared>({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ bytes, cached }, key) => bytes + key.length + (cached?.planBytes ?? 0),
  });
  const byDocument = new WeakMap<DocumentNode, Prepared | Refused>();
  const forms = createFormStore();

  function prepare(source: string, operationName?: string | null): Prepared | Refused {
    const key = keyOf(source, operationName);
    const known = cache.get(key);
    if (known) return known;
    const document = parseBounded(source);
    return isParsed(document) ? store(key, validateBounded(document, operationName)) : document;
  }

  function store(key: string, entry: Prepared | Refused): Prepared | Refused {
    if (isRefused(entry)) return entry;
    entry.cached = { key, planBytes: 0 };
    cache.set(key, entry);
    return entry;
  }

  function countPlans(prepared: Prepared): void {
    const { cached, plans } = prepared;
    if (!cached || cache.peek(cached.key) !== prepared) return;
    const planBytes = plans.bytes();
    if (planBytes === cached.planBytes) return;
    cache.delete(cached.key);
    cached.planBytes = planBytes;
    cache.set(cached.key, prepared);
  }

  function prepareInTurn(
    source: string,
    operationName?: string | null,
  ): Prepared | Refused | Promise<Prepared | Refused> {
    return cache.get(keyOf(source, operationName)) ?? prepareInSlices(source, operationName);
  }

  async function prepareInSlices(source: string, operationName?: string | null): Promise<Prepared | Refused> {
    const key = keyOf(source, operationName);
    if (isSliceOver()) await nextSlice();
    if (source.length < LONG_SOURCE) return prepare(source, operationName);
    const document = parseBounded(source);
    if (!isParsed(document)) return document;
    await nextSlice();
    const entry = store(key, validateBounded(document, operationName));
    await nextSlice();
    return entry;
  }

  function parseBounded(source: string): DocumentNode | Refused {
    if (source.length > OPERATION_LIMITS.source)
      return { errors: [tooLarge({ limit: 'source', actual: source.length })] };
    let document: DocumentNode;
    try {
      document = parse(source, { maxTokens: OPERATION_LIMITS.tokens });
    } catch (error) {
      return { errors: boundErrors([unparsed(error)]) };
    }
    const excess = exceededLimit(document);
    return excess ? refuse(document, [tooLarge(excess)]) : document;
  }

  function validateBounded(document: DocumentNode, operationName?: string | null): Prepared | Refused {
    const found = validated(document);
    if (found.length > 0) return refuse(document, found);
    const operation = getOperationAST(document, operationName || null);
    if (!operation)
      return refuse(document, [
        new GraphQLError(
          operationName
            ? `Unknown operation named "${operationName}".`
            : 'Must provide operation name if query contains multiple operations.',
        ),
      ]);
    if (!introspection && isIntrospective(document) && !trustedTexts.has(document.loc!.source.body))
      return refuse(document, [new GraphQLError('Introspection is off.')]);
    return toPrepared(document, operation, false);
  }

  function validated(document: DocumentNode): readonly GraphQLError[] {
    try {
      return validate(schema, document, specifiedRules, {
        maxErrors: ANSWER_LIMITS.errors - 1,
        hideSuggestions: !introspection,
      });
    } catch (error) {
      return [unparsed(error)];
    }
  }

  function refuse(document: DocumentNode, errors: readonly GraphQLError[]): Refused {
    const refused = { errors: boundErrors(errors), document };
    byDocument.set(document, refused);
    return refused;
  }

  function toPrepared(document: DocumentNode, operation: OperationDefinitionNode, isOwn: boolean): Prepared {
    const fragments: Prepared['fragments'] = Object.create(null);
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
    }
    const plans = createPlans({ schema, operation, fragments, isOwn, forms });
    const bytes = compactDocument(document);
    const measure = createMeasure({ schema, operation, fragments });
    const name = rootFieldOf(operation, fragments);
    const prepared: Prepared = {
      document,
      operation,
      name,
      fragments,
      isOwn,
      plans,
      measure,
      bytes,
      cached: null,
    };
    byDocument.set(document, prepared);
    return prepared;
  }

  function prepareOwn(document: DocumentNode): Prepared {
    const operation = getOperationAST(document);
    if (!operation) throw new Error('A document of the gateway must contain exactly one operation.');
    return toPrepared(document, operation, true);
  }

  return { prepare, prepareInTurn, prepareOwn, preparedOf: (document) => byDocument.get(document), countPlans };
}

function isParsed(parsed: DocumentNode | Refused): parsed is DocumentNode {
  return 'kind' in parsed;
}

export function isRefused(entry: Prepared | Refused): entry is Refused {
  return 'errors' in entry;
}

/** Parser and validation recurse per level: a deeply nested document within the token limit can overflow the stack. */
function unparsed(error: unknown): GraphQLError {
  if (error instanceof GraphQLError)
    return /tokens\. Parsing aborted/.test(error.message) ? tooLarge({ limit: 'tokens' }) : error;
  if (error instanceof RangeError) return tooLarge({ limit: 'depth' });
  throw error;
}

function keyOf(source: string, operationName: string | null | undefined): string {
  return `${operationName ?? ''}\n${source}`;
}

/** The root field of a validated operation; `several` if it has more than one. */
function rootFieldOf(
  { selectionSet }: Pick<OperationDefinitionNode, 'selectionSet'>,
  fragments: Prepared['fragments'],
): string {
  const names = new Set<string>();
  // Each fragment is read once: N fragments that spread the next one twice expand to 2^N fields.
  const spread = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (names.size > 1) return;
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        collect(fragments[selection.name.value]!.selectionSet);
      }
    }
  };
  collect(selectionSet);
  return names.size === 1 ? [...names][0]! : 'several';
}

function isIntrospective(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field(field) {
      found ||= field.name.value === '__schema' || field.name.value === '__type';
      return found ? BREAK : undefined;
    },
  });
  return found;
}
