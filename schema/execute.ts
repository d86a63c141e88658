import {
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../src/context.ts';
import { type Explain, unavailability } from '../src/database-errors.ts';
import type { Measure } from '../src/limits/cost.ts';
import { ANSWER_LIMITS, OPERATION_LIMITS } from '../src/limits/limits.ts';
import { fail, inSpan, isTracing } from '../src/observe/tracing/tracer.ts';
import { memberCount } from '../src/store/lazy-document.ts';
import { boundErrors, tooLarge } from './bounded-errors.ts';
import { type Coerced, coerceVariables } from './coerce-variables.ts';
import { createPreparer, type Prepared, type Preparer } from './documents/prepare.ts';
import type { OperationPlan, Variables } from './plan/operation-plan.ts';
import type { Plans } from './plan/plans.ts';
import { runOperation } from './plan/run-operation.ts';
import { presentError } from './present-error.ts';

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

export interface Executor extends Omit<Preparer, 'countPlans'> {
  schema: GraphQLSchema;
  /** Coerces the variables of an operation that is to run later; returns the errors with which {@link Executor.run} would reject it. */
  check(prepared: Prepared, variables: RunOptions['variables']): Checked;
  /** Runs a prepared operation; the result's errors are already masked. */
  run(prepared: Prepared, options: RunOptions): Promise<ExecutionResult>;
}

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
  const preparer = createPreparer({ schema, introspection, trustedTexts });

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
    const presented = (error: GraphQLError) => presentError(error, { onMaskedError, explain });
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
    preparer.countPlans(prepared);
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
    ...preparer,
    schema,
    check,
    run: (prepared, options) => (isTracing() ? runTraced(prepared, options) : run(prepared, options)),
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
