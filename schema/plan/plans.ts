import { Kind, type OperationDefinitionNode, visit } from 'graphql';
import { type OperationPlan, type OperationPlanOptions, planOperation, type Variables } from './operation-plan.ts';

/** Plans that one operation keeps; a run that needs another one plans anew. */
const MAX_PLANS = 16;

export interface Plans {
  /** The plan for a run with these variables. */
  planFor(variables: Variables): OperationPlan;
}

/** The plans of one operation: one, or one for each way in which its variables answer `@skip` and `@include`. */
export function createPlans(options: Omit<OperationPlanOptions, 'variables'>): Plans {
  const plans = new Map<string, OperationPlan>();
  let conditions: readonly string[] | undefined;

  return {
    planFor(variables) {
      conditions ??= conditionsOf(options);
      const key = conditions.map((name) => (variables[name] ? '1' : '0')).join('');
      const known = plans.get(key);
      if (known) return known;
      const plan = planOperation({ ...options, variables });
      if (plans.size < MAX_PLANS) plans.set(key, plan);
      return plan;
    },
  };
}

/** Variables that decide whether a selection is included. */
function conditionsOf({ operation, fragments }: Omit<OperationPlanOptions, 'variables'>): readonly string[] {
  const names = new Set<string>();
  for (const definition of [operation as OperationDefinitionNode, ...Object.values(fragments)]) {
    visit(definition, {
      Directive({ arguments: given }) {
        for (const { value } of given ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      },
    });
  }
  return [...names];
}
