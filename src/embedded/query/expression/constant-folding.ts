import { CommandError } from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import type { Evaluate } from './operator.ts';

/** Evaluations with the same result for every document. */
const CONSTANTS = new WeakSet<Evaluate>();

export const isConstant = (evaluate: Evaluate): boolean => CONSTANTS.has(evaluate);

export function constantly(value: unknown): Evaluate {
  const evaluate: Evaluate = () => value;
  CONSTANTS.add(evaluate);
  return evaluate;
}

/** An operand that is already compiled. */
export class Compiled {
  constructor(readonly evaluate: Evaluate) {}
}

/**
 * The operators whose constant operands MongoDB combines: only leading ones (`left`), adjacent ones (`full`), or all of
 * them, moved to the end (`free`).
 */
const ASSOCIATIVE: Readonly<Record<string, 'left' | 'full' | 'free'>> = {
  $add: 'left',
  $multiply: 'left',
  $concat: 'full',
  $concatArrays: 'full',
  $setUnion: 'free',
  $setIntersection: 'free',
  $and: 'free',
  $or: 'free',
};

/** The operands of compiled associative operators; the same operator around them merges them into its own. */
const OPERANDS = new WeakMap<Evaluate, { name: string; operands: Evaluate[] }>();

export const recordOperands = (evaluate: Evaluate, name: string, operands: unknown): void => {
  if (!Array.isArray(operands) || ASSOCIATIVE[name] === undefined || ASSOCIATIVE[name] === 'left') return;
  const compiled = operands.filter((operand) => operand instanceof Compiled);
  OPERANDS.set(evaluate, { name, operands: compiled.map((operand) => operand.evaluate) });
};

/** The argument of an associative operator, with its constant operands combined by `combine`. */
export function gatherConstants(
  name: string,
  argument: unknown,
  tools: {
    context: CompileContext;
    compile: (expression: unknown) => Evaluate;
    combine: (constants: Compiled[]) => Evaluate;
  },
): unknown {
  const kind = ASSOCIATIVE[name];
  if (!kind || !tools.context.isFolding) return argument;
  const operands = (Array.isArray(argument) ? argument : [argument])
    .map(tools.compile)
    .flatMap((operand) => (OPERANDS.get(operand)?.name === name ? OPERANDS.get(operand)!.operands : [operand]));
  const combined = (constants: Evaluate[]): Evaluate[] =>
    constants.length < 2 ? constants : [tools.combine(constants.map((constant) => new Compiled(constant)))];
  const result: Evaluate[] = [];
  let constants: Evaluate[] = [];
  for (const operand of operands) {
    if (isConstant(operand) && !(kind === 'left' && result.length > 0)) {
      constants.push(operand);
      continue;
    }
    if (kind !== 'free') {
      result.push(...combined(constants));
      constants = [];
    }
    result.push(operand);
  }
  result.push(...combined(constants));
  return result.map((operand) => new Compiled(operand));
}

/**
 * Evaluates an expression that depends on no document, as MongoDB's optimizer does. So it can fail even if no document
 * is evaluated, but only after the whole command was parsed: see `deferFoldErrors`.
 */
export function fold(evaluate: Evaluate, { isFolding, foldErrors }: CompileContext): Evaluate {
  if (!isFolding) return evaluate;
  try {
    return constantly(evaluate({}, {}));
  } catch (error) {
    if (!(error instanceof CommandError) || !foldErrors) throw error;
    foldErrors.first ??= error;
    return evaluate;
  }
}
