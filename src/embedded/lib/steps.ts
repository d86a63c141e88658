import { CommandError } from './errors.ts';

/** The maximum number of evaluation steps for one document; a step takes about 150 ns. */
const MAX_STEPS = 200_000;

// Module state on purpose. A counter as a parameter would have to reach every operator, matcher and modifier, which run
// once per document and element, and also the filters of indexes, which are compiled once for all commands. Evaluation
// is synchronous, so nothing else in the thread counts in between.
let spent = 0;
let maxSteps = MAX_STEPS;

/**
 * Counts the work of an expression, an update or a filter: about one step per operand or array element. Evaluation of
 * one document cannot pause, so it is bounded.
 *
 * @throws CommandError 146 when more than the limit was spent since {@link takeSpentSteps} was last called
 */
export function spendSteps(steps: number): void {
  spent += steps;
  if (spent <= maxSteps) return;
  spent = 0;
  throw new CommandError(
    146,
    `the evaluation for one document exceeds ${MAX_STEPS} steps (limit of the embedded store; set MONGODB_URI to use a MongoDB server)`,
  );
}

/** Returns the steps spent since the last call and resets the counter; called before and after each document. */
export function takeSpentSteps(): number {
  const steps = spent;
  spent = 0;
  return steps;
}

/**
 * Counts the steps of `work` separately.
 *
 * @param limit replaces the default limit if it is higher
 * @throws CommandError 146 when the work exceeds the limit
 */
export function countSteps<Result>(limit: number, work: () => Result): { result: Result; steps: number } {
  spent = 0;
  maxSteps = Math.max(limit, MAX_STEPS);
  try {
    const result = work();
    return { result, steps: spent };
  } finally {
    spent = 0;
    maxSteps = MAX_STEPS;
  }
}
