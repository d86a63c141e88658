import { CommandError } from './errors.ts';
import type { Evaluate } from './expression-kit.ts';

/** Evaluations that yield the same for every document. */
const CONSTANTS = new WeakSet<Evaluate>();

export const isConstant = (evaluate: Evaluate): boolean => CONSTANTS.has(evaluate);

export function constantly(value: unknown): Evaluate {
  const evaluate: Evaluate = () => value;
  CONSTANTS.add(evaluate);
  return evaluate;
}

let failure: { error?: CommandError } | undefined;

/**
 * Computes in advance what depends on no document, as MongoDB's optimizer does. A computation that fails thus fails
 * even if no document comes to it, but only after everything is understood: see {@link failingLast}.
 */
export function fold(evaluate: Evaluate): Evaluate {
  try {
    return constantly(evaluate({}, {}));
  } catch (error) {
    if (!(error instanceof CommandError) || !failure) throw error;
    failure.error ??= error;
    return evaluate;
  }
}

/** Compiles, and throws what failed in advance only when nothing else is wrong. */
export function failingLast<Result>(compile: () => Result): Result {
  if (failure) return compile();
  failure = {};
  try {
    const result = compile();
    if (failure.error) throw failure.error;
    return result;
  } finally {
    failure = undefined;
  }
}
