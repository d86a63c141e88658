import { Kind, type OperationDefinitionNode, visit } from 'graphql';
import { type OperationPlan, type OperationPlanOptions, planOperation, type Variables } from './operation-plan.ts';

/** Maximum plans per operation; the oldest one is evicted. */
const MAX_PLANS = 16;
/** Maximum heap of the plans of an operation; its newest plan alone may exceed it. */
const MAX_PLAN_BYTES = 1_048_576;

export interface Plans {
  /** The plan for a run with these variables. @throws {GraphQLError} for a null condition at the root */
  planFor(variables: Variables): OperationPlan;
  /** Estimated heap size of the plans. It grows while operations run. */
  bytes(): number;
}

/** The plans of one operation: one, or one for each combination of the variables that `@skip` and `@include` read. */
export function createPlans(options: Omit<OperationPlanOptions, 'variables'>): Plans {
  const plans = new Map<string, OperationPlan>();
  let conditions: readonly string[] | undefined;

  function bytes(): number {
    let sum = 0;
    for (const plan of plans.values()) sum += plan.bytes();
    return sum;
  }

  function evict(): void {
    for (const key of plans.keys()) {
      if (plans.size <= 1 || (plans.size <= MAX_PLANS && bytes() <= MAX_PLAN_BYTES)) return;
      plans.delete(key);
    }
  }

  return {
    bytes,
    planFor(variables) {
      conditions ??= conditionsOf(options);
      const key = conditions.map((name) => JSON.stringify(variables[name])).join();
      let plan = plans.get(key);
      if (!plan) {
        // Only the conditions: the plan outlives the run, whose other variables may be large or private to a user.
        plan = planOperation({ ...options, variables: pick(variables, conditions) });
        plans.set(key, plan);
        evict();
      }
      return plan;
    },
  };
}

function pick(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]),
  );
}

/** Variables that decide whether a selection is included. */
function conditionsOf({ operation, fragments }: Omit<OperationPlanOptions, 'variables'>): readonly string[] {
  const names = new Set<string>();
  for (const definition of [operation as OperationDefinitionNode, ...Object.values(fragments)]) {
    visit(definition, {
      Directive({ name: { value: directive }, arguments: given }) {
        if (directive !== 'skip' && directive !== 'include') return;
        for (const { value } of given ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      },
    });
  }
  return [...names];
}
