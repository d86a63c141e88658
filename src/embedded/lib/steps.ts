import { CommandError } from './errors.ts';

/** Steps of evaluation on one document, of some 150 ns each. */
const MAX_STEPS = 200_000;

let spent = 0;
let maxSteps = MAX_STEPS;

/**
 * Counts work of an expression, an update or a filter: about one step for each operand or array element.
 * Evaluation cannot pause within a document, so it is bounded instead.
 *
 * @throws CommandError 146 when it is too much since {@link takeSpentSteps} was last called
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

/** How many steps were spent since the last call: called before and after each document. */
export function takeSpentSteps(): number {
  const steps = spent;
  spent = 0;
  return steps;
}

/**
 * Counts the steps of some work apart from those before and after it.
 *
 * @param limit the bound on these steps instead of the usual one; at least the usual one
 * @throws CommandError 146 when the work takes more
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
