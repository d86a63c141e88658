import { Int32 } from 'bson';
import { CommandError, compareValues, entriesOf, isDocument, isTruthy } from '../../lib/index.ts';
import { constantly, fold, isConstant } from './constant-folding.ts';
import { checkVariableName, type Evaluate, fixed, namedArguments, type Operator, type Operators } from './operator.ts';

const comparing = (holds: (order: number) => boolean): Operator => fixed(2, ([a, b]) => holds(compareValues(a, b)));

const list = (argument: unknown): unknown[] => (Array.isArray(argument) ? argument : [argument]);

const isAlways = (evaluate: Evaluate | undefined, flag: boolean): boolean =>
  evaluate !== undefined && isConstant(evaluate) && isTruthy(evaluate({})) === flag;

const and: Operator = (argument, scope) => {
  const all = list(argument).map((item) => scope.compile(item));
  if (isAlways(all.at(-1), false)) return constantly(false);
  return (document, variables) => all.every((evaluate) => isTruthy(evaluate(document, variables)));
};

const or: Operator = (argument, scope) => {
  const any = list(argument).map((item) => scope.compile(item));
  if (isAlways(any.at(-1), true)) return constantly(true);
  return (document, variables) => any.some((evaluate) => isTruthy(evaluate(document, variables)));
};

const cond: Operator = (argument, scope, name) => {
  const [test, yes, no] = condBranches(argument, name).map((branch) => scope.compile(branch)) as [
    Evaluate,
    Evaluate,
    Evaluate,
  ];
  if (isConstant(test)) return isAlways(test, true) ? yes : no;
  return (document, variables) => (isTruthy(test(document, variables)) ? yes : no)(document, variables);
};

function condBranches(argument: unknown, name: string): unknown[] {
  if (isDocument(argument)) {
    const given = namedArguments(name, argument, {
      allowed: ['if', 'then', 'else'],
      errors: {
        notObject: 16020,
        unknown: 17083,
        missing: [
          ['if', 17080],
          ['then', 17081],
          ['else', 17082],
        ],
      },
    });
    return [given.if, given.then, given.else];
  }
  const branches = list(argument);
  if (branches.length === 3) return branches;
  throw new CommandError(16020, `Expression $cond takes exactly 3 arguments. ${branches.length} were passed in.`);
}

/** As in MongoDB's optimizer, constant nulls are removed, and so are all operands after another constant. */
const ifNull: Operator = (argument, scope) => {
  const given = list(argument);
  if (given.length < 2) throw new CommandError(1257300, `$ifNull needs at least two arguments, had: ${given.length}`);
  const all: Evaluate[] = [];
  let isSettled = false;
  for (const [i, item] of given.entries()) {
    const evaluate = scope.compile(item);
    if (isSettled) continue;
    const isNull = isConstant(evaluate) && evaluate({}) == null;
    if (!isNull || i === given.length - 1) all.push(evaluate);
    isSettled = isConstant(evaluate) && !isNull;
  }
  if (all.length === 1) return all[0]!;
  return (document, variables) => {
    let value: unknown;
    for (const evaluate of all) {
      value = evaluate(document, variables);
      if (value != null) return value;
    }
    return value;
  };
};

const switchOperator: Operator = (argument, scope) => {
  if (!isDocument(argument)) throw new CommandError(40060, '$switch requires an object as an argument');
  const stray = Object.keys(argument).find((key) => key !== 'branches' && key !== 'default');
  if (stray) throw new CommandError(40067, `$switch found an unknown argument: ${stray}`);
  const given = argument.branches ?? [];
  if (!Array.isArray(given)) throw new CommandError(40061, "$switch expected an array for 'branches'");
  for (const branch of given) {
    if (!isDocument(branch)) throw new CommandError(40062, '$switch expected each branch to be an object');
    const unknown = Object.keys(branch).find((key) => key !== 'case' && key !== 'then');
    if (unknown) throw new CommandError(40063, `$switch found an unknown argument to a branch: ${unknown}`);
    if (!('case' in branch)) throw new CommandError(40064, "$switch requires each branch have a 'case' expression");
    if (!('then' in branch)) throw new CommandError(40065, "$switch requires each branch have a 'then' expression");
  }
  if (given.length === 0) throw new CommandError(40068, '$switch requires at least one branch');
  let otherwise: Evaluate | undefined;
  const branches: { test: Evaluate; result: Evaluate }[] = [];
  let isSettled = false;
  for (const branch of given) {
    if (isSettled) {
      scope.compileUnfolded(branch.case);
      scope.compileUnfolded(branch.then);
      continue;
    }
    const test = scope.compile(branch.case);
    if (isAlways(test, false)) scope.compileUnfolded(branch.then);
    else if (isAlways(test, true)) {
      otherwise = scope.compile(branch.then);
      isSettled = true;
    } else branches.push({ test, result: scope.compile(branch.then) });
  }
  const fallback = 'default' in argument ? scope.compile(argument.default) : undefined;
  otherwise ??= fallback;
  if (branches.length === 0) {
    return (
      otherwise ??
      fold(() => {
        throw new CommandError(40069, 'Cannot execute a switch statement where all the cases evaluate to false');
      }, scope.context)
    );
  }
  return (document, variables) => {
    const branch = branches.find(({ test }) => isTruthy(test(document, variables)));
    const result = branch?.result ?? otherwise;
    if (!result)
      throw new CommandError(
        40066,
        '$switch could not find a matching branch for an input, and no default was specified',
      );
    return result(document, variables);
  };
};

const letOperator: Operator = (argument, scope, name) => {
  const given = namedArguments(name, argument, {
    allowed: ['vars', 'in'],
    errors: {
      notObject: 16874,
      unknown: 16875,
      missing: [
        ['vars', 16876],
        ['in', 16877],
      ],
    },
  });
  if (!isDocument(given.vars)) throw new CommandError(10065, 'invalid parameter: expected an object (vars)');
  const declared = entriesOf(given.vars).map(([variable, expression]) => {
    checkVariableName(variable);
    return [variable, scope.compile(expression)] as const;
  });
  const result = scope.compile(given.in, ...declared.map(([variable]) => variable));
  return (document, variables) => {
    const values = declared.map(([variable, evaluate]) => [variable, evaluate(document, variables)]);
    return result(document, { ...variables, ...Object.fromEntries(values) });
  };
};

/** Comparison, conditional and variable operators. */
export const LOGIC_OPERATORS: Operators = {
  $literal: (argument) => () => argument,
  $eq: comparing((order) => order === 0),
  $ne: comparing((order) => order !== 0),
  $gt: comparing((order) => order > 0),
  $gte: comparing((order) => order >= 0),
  $lt: comparing((order) => order < 0),
  $lte: comparing((order) => order <= 0),
  $cmp: fixed(2, ([a, b]) => new Int32(Math.sign(compareValues(a, b)))),
  $and: and,
  $or: or,
  $not: fixed(1, ([value]) => !isTruthy(value)),
  $cond: cond,
  $ifNull: ifNull,
  $switch: switchOperator,
  $let: letOperator,
};
