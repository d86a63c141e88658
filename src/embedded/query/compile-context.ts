import type { CommandError } from '../lib/index.ts';

/** What the compilation of an expression depends on besides the expression itself. */
export interface CompileContext {
  /** The values of the command's `let` variables; variables that an expression declares shadow them. */
  readonly commandVariables: ReadonlyMap<string, unknown>;
  /** Whether constant expressions are evaluated when they are compiled, as MongoDB's optimizer does. */
  readonly isFolding: boolean;
  /** Collects errors of constant folding; if absent, they are thrown immediately. See {@link deferFoldErrors}. */
  readonly foldErrors?: { first?: CommandError } | undefined;
}

/** The context of expressions outside of commands, and of commands without `let`. */
export const DEFAULT_CONTEXT: CompileContext = { commandVariables: new Map(), isFolding: true };

/** The context for expressions that MongoDB's optimizer ignores. */
export const withoutFolding = (context: CompileContext): CompileContext => ({ ...context, isFolding: false });

/** The context for expressions that are compiled while the command runs: their errors are thrown immediately. */
export const atExecution = ({ commandVariables }: CompileContext): CompileContext =>
  commandVariables.size === 0 ? DEFAULT_CONTEXT : { commandVariables, isFolding: true };

/** Compiles, and throws an error of constant folding only if there is no other error. */
export function deferFoldErrors<Result>(context: CompileContext, compile: (context: CompileContext) => Result): Result {
  if (context.foldErrors) return compile(context);
  const foldErrors: CompileContext['foldErrors'] = {};
  const { commandVariables, isFolding } = context;
  const result = compile({ commandVariables, isFolding, foldErrors });
  if (foldErrors.first) throw foldErrors.first;
  return result;
}
