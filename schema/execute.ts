import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../src/context.ts';
import { type Explain, unavailability } from '../src/database-errors.ts';
import { ERRORS, OperationError } from '../src/errors.ts';
import { isSliceOver, nextSlice } from '../src/lib/time-slice.ts';
import { createMeasure, type Measure } from '../src/limits/cost.ts';
import { exceededLimit } from '../src/limits/document-limits.ts';
import { ANSWER_LIMITS, OPERATION_LIMITS } from '../src/limits/limits.ts';
import { RateLimitError } from '../src/limits/rates/rate-limits.ts';
import { fail, inSpan, isTracing } from '../src/observe/tracing/tracer.ts';
import { memberCount } from '../src/store/lazy-document.ts';
import { boundErrors, tooLarge } from './bounded-errors.ts';
import { type Coerced, coerceVariables } from './coerce-variables.ts';
import { compactDocument } from './plan/compact-document.ts';
import { createFormStore } from './plan/forms.ts';
import type { OperationPlan, Variables } from './plan/operation-plan.ts';
import { createPlans, type Plans } from './plan/plans.ts';
import { runOperation } from './plan/run-operation.ts';

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

export interface ExecutorOptions {
  schema: GraphQLSchema;
  /** Called with each error that is masked; returns the id that the response contains instead. */
  onMaskedError: (error: Error) => string;
  /** Called with each unexpected error; an error that it recognizes as temporary is not masked. */
  explain?: Explain;
  /** Whether `__schema` and `__type` can be queried and validation messages suggest names. @default true */
  introspection?: boolean;
  /** Documents that may query `__schema` and `__type` even if introspection is off. @default none */
  trustedTexts?: ReadonlySet<string>;
  /** For tests only: whether operations run by a plan instead of by graphql-js. @default true */
  plan?: boolean;
}

/** The coerced variables and, for documents of clients with valid variables, the measure of the operation. */
export type Checked = Coerced & { measured?: Measure };

export interface RunOptions {
  /** Root value of the operation: for a subscription, the event. */
  root?: unknown;
  variables?: { readonly [name: string]: unknown } | null | undefined;
  context: Context;
  /** Whether the result reports its cost in `extensions.cost`. @default false */
  reportsCost?: boolean;
}

export interface Executor {
  schema: GraphQLSchema;
  /** Prepares the document of a client, from the cache if possible. */
  prepare(source: string, operationName?: string | null): Prepared | Refused;
  /** As `prepare`, but unless the document is cached it yields to the event loop at the end of a time slice, and between the steps for a long document. */
  prepareInTurn(source: string, operationName?: string | null): Prepared | Refused | Promise<Prepared | Refused>;
  /** Prepares a document that is part of the gateway, without limits. */
  prepareOwn(document: DocumentNode): Prepared;
  /** Coerces the variables of an operation that is to run later; returns the errors with which {@link Executor.run} would reject it. */
  check(prepared: Prepared, variables: RunOptions['variables']): Checked;
  /** Runs a prepared operation; the result's errors are already masked. */
  run(prepared: Prepared, options: RunOptions): Promise<ExecutionResult>;
  /** The result of `prepare` for a document that it parsed. */
  preparedOf(document: DocumentNode): Prepared | Refused | undefined;
}

/** Characters from which parsing, validating and measuring a document each get a turn of the event loop. */
const LONG_SOURCE = 4_096;
const MAX_CACHED = 500;
/** Maximum total heap size of prepared documents. */
const MAX_CACHED_BYTES = 8 * 1_048_576;

/**
 * Runs GraphQL for every transport, with one bounded cache of documents, one set of limits and one masking of errors.
 */
export function createExecutor({
  schema,
  onMaskedError,
  explain = unavailability,
  introspection = true,
  trustedTexts = NO_TEXTS,
  plan = true,
}: ExecutorOptions): Executor {
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

  /** Plans grow as operations run: the cache counts them, and evicts documents to stay within its bound. */
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
    const operation = getOperationAST(document, operationName);
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

  function check({ operation, measure }: Prepared, variables: RunOptions['variables']): Checked {
    const { coerced, errors } = coerce(operation, variables);
    if (errors) return { errors };
    const limit = operation.operation === 'subscription' ? 'eventCost' : 'cost';
    const measured = measure(coerced);
    const refused = beyondLimits(measured, limit);
    return refused ? { errors: [refused], measured } : { coerced, measured };
  }

  function coerce(operation: OperationDefinitionNode, variables: RunOptions['variables']): Coerced {
    const read = coerceVariables({ schema, operation, given: variables ?? {}, hideSuggestions: !introspection });
    return read.errors ? { errors: boundErrors(read.errors) } : read;
  }

  async function run(
    prepared: Prepared,
    { variables, context, root, reportsCost = false }: RunOptions,
  ): Promise<ExecutionResult> {
    const { document, operation, fragments, plans } = prepared;
    const checked: Checked = prepared.isOwn ? coerce(operation, variables) : check(prepared, variables);
    const { measured } = checked;
    const withCost = (result: ExecutionResult): ExecutionResult =>
      reportsCost && measured ? { ...result, extensions: { ...result.extensions, cost: costOf(measured) } } : result;
    if (checked.errors) return withCost({ errors: checked.errors });
    const { coerced } = checked;
    if (measured && measured.cost >= OPERATION_LIMITS.expensiveCost) await context.reads.slot?.acquire();
    // A mutation waits only before it begins: after its commit, loading its result must not fail because no slot is free.
    if (operation.operation === 'mutation') context.reads.slot = null;
    const presented = (error: GraphQLError) => present(error, { onMaskedError, explain });
    const operationPlan = plan ? planOf(plans, coerced) : null;
    // As in graphql-js, a null condition results in no data.
    if (operationPlan instanceof GraphQLError) return withCost({ data: null, errors: boundErrors([operationPlan]) });
    const running = operationPlan
      ? runOperation({
          plan: operationPlan,
          schema,
          operation,
          fragments,
          rootValue: root,
          context,
          variables: coerced,
          beforeObject(value) {
            const members = memberCount(value);
            if (members > 0) context.reads.chargeMembers(members);
          },
          onExcessError: (error) => isUnavailable(presented(locatedError(error, undefined))),
        })
      : execute({
          schema,
          document,
          contextValue: context,
          rootValue: root,
          variableValues: variables ?? {},
          operationName: operation.name?.value ?? null,
        });
    const result = running instanceof Promise ? await running : (running as ExecutionResult);
    countPlans(prepared);
    if (!result.errors) return withCost(result);
    const shown = result.errors.slice(0, ANSWER_LIMITS.errors).map(presented);
    // A response that lacks data because of a temporary failure must report it, even beyond the limit of errors.
    const excess = result.errors.slice(ANSWER_LIMITS.errors).map(presented).find(isUnavailable);
    if (excess && !shown.some(isUnavailable)) shown[shown.length - 1] = excess;
    return withCost({ ...result, errors: boundErrors(shown) });
  }

  function runTraced(prepared: Prepared, options: RunOptions): Promise<ExecutionResult> {
    const { operation } = prepared.operation;
    const span = {
      name: `${operation} ${prepared.name}`,
      attributes: { 'graphql.operation.type': operation },
      // Renderings of events belong to no request.
      isRoot: options.root === undefined,
    };
    return inSpan(span, async (started) => {
      const result = await run(prepared, options);
      const code = result.errors?.[0]?.extensions?.code;
      if (started && (code === 'INTERNAL' || code === 'UNAVAILABLE')) fail(started, code);
      return result;
    });
  }

  return {
    schema,
    prepare,
    prepareInTurn,
    prepareOwn,
    check,
    run: (prepared, options) => (isTracing() ? runTraced(prepared, options) : run(prepared, options)),
    preparedOf: (document) => byDocument.get(document),
  };
}

const NO_TEXTS: ReadonlySet<string> = new Set();

/** The figures of `extensions.cost`, with the limits of queries and mutations. */
function costOf({ cost, depth, fields }: Measure): { [name: string]: number } {
  const { cost: limit, depth: depthLimit } = OPERATION_LIMITS;
  return { total: Math.round(cost * 10) / 10, limit, depth, depthLimit, fields };
}

function isUnavailable({ extensions }: GraphQLError): boolean {
  return extensions.code === 'UNAVAILABLE';
}

function planOf(plans: Plans, variables: Variables): OperationPlan | GraphQLError {
  try {
    return plans.planFor(variables);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function isParsed(parsed: DocumentNode | Refused): parsed is DocumentNode {
  return 'kind' in parsed;
}

export function isRefused(entry: Prepared | Refused): entry is Refused {
  return 'errors' in entry;
}

/** Why an operation is not executed; null when it is within {@link OPERATION_LIMITS}. */
export function beyondLimits(
  { depth, cost, repeats }: Measure,
  limit: 'cost' | 'eventCost' = 'cost',
): GraphQLError | null {
  for (const count of repeats.values())
    if (count > OPERATION_LIMITS.repeats) return tooLarge({ limit: 'repeats', actual: count });
  if (depth > OPERATION_LIMITS.depth) return tooLarge({ limit: 'depth', actual: depth });
  return cost > OPERATION_LIMITS[limit] ? tooLarge({ limit, actual: Math.ceil(cost) }) : null;
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

/** Expected failures keep their message and get a code. All other errors are logged and replaced by an id. */
function present(
  error: GraphQLError,
  { onMaskedError, explain }: { onMaskedError: ExecutorOptions['onMaskedError']; explain: Explain },
): GraphQLError {
  const original = error.originalError;
  if (!original) return error;
  const options = { ...placeOf(error), path: error.path ?? null };
  if (original instanceof OperationError) {
    const { errorName, detail } = original;
    return new GraphQLError(original.message, {
      ...options,
      originalError: original,
      extensions: {
        code: errorName,
        ...(detail.length > 0 && { detail }),
        ...(original instanceof RateLimitError && { retryAfter: original.quota.resetSeconds }),
      },
    });
  }
  if (original instanceof GraphQLError) return error;
  const unavailable = explain(original);
  if (unavailable) {
    return new GraphQLError(unavailable.message, { ...options, extensions: { code: 'UNAVAILABLE' } });
  }
  return new GraphQLError(ERRORS.INTERNAL.message, {
    ...options,
    extensions: { code: 'INTERNAL', errorId: onMaskedError(original) },
  });
}

function placeOf(error: GraphQLError) {
  return { nodes: error.nodes ?? null, positions: error.positions ?? null, source: error.source ?? null };
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
