import type { Excess } from './document-limits.ts';
import { VARIABLE_LIMITS } from './limits.ts';

/** Returns the first limit that raw variables exceed, in one pass before coercion that stops at the limits. */
export function exceededByVariables(variables: object): Excess | null {
  let level: object[] = [variables];
  let values = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > VARIABLE_LIMITS.variableDepth) return { limit: 'variableDepth' };
    const next: object[] = [];
    for (const container of level) {
      for (const key in container) {
        values += 1;
        if (values > VARIABLE_LIMITS.variableValues) return { limit: 'variableValues' };
        const value = (container as { [key: string]: unknown })[key];
        if (typeof value === 'object' && value !== null) next.push(value);
      }
    }
    level = next;
  }
  return null;
}
