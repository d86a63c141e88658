import type { ExecutionResult, GraphQLError } from 'graphql';
import type { Answer, AnswerCache } from '../../src/answers/answer-cache.ts';
import type { Context } from '../../src/context.ts';
import type { Explain } from '../../src/database-errors.ts';
import { ERRORS, OperationError } from '../../src/errors.ts';
import type { Admission } from '../../src/limits/admission.ts';
import { toAnswerText } from '../../src/limits/answer-text.ts';
import type { Charge, Peer } from '../../src/limits/rates/charge.ts';
import { usageOf } from '../../src/limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../../src/limits/request-deadline.ts';
import { DOCUMENT_CODES } from '../documents/documents.ts';
import type { Prepared } from '../documents/prepare.ts';
import type { Executor, RunOptions } from '../execute.ts';
import { toGraphqlError } from '../subscriptions/parse-subscription.ts';

export interface Answered {
  /** HTTP status, unless Yoga sets another. */
  status: number;
  /** The result as JSON. */
  text: string | Buffer;
  /** Whether the operation was rejected before it was executed. */
  isRefused: boolean;
  /** Code of the first error, or of the error that a mutation returned as data. */
  errorCode: string | null;
  /** The result; parsed from its text when the answer is a kept one. */
  readonly result: ExecutionResult;
}

export interface RunnerOptions {
  executor: Executor;
  admission: Admission;
  answers: AnswerCache;
  withDeadline: RequestDeadline;
  explain: Explain;
  charge: Charge;
}

export type Run = (
  prepared: Prepared,
  variables: RunOptions['variables'],
  contextOf: () => Promise<Context>,
  peer: Peer,
  options?: Pick<RunOptions, 'reportsCost'>,
) => Promise<Answered>;

/**
 * Authenticates the request and runs the operation. A result that is incomplete because the database was unavailable has
 * status 503 even if parts of it are present, so that clients do not take it for complete and retry.
 */
export function createRun({ executor, admission, answers, withDeadline, explain, charge }: RunnerOptions): Run {
  return async (prepared, variables, contextOf, peer, { reportsCost = false } = {}) => {
    const slot = admission();
    try {
      return await withDeadline(async () => {
        try {
          const context = await contextOf();
          await charge(peer, context, usageOf(prepared));
          context.reads.slot = slot;
          const execute = (executing: Context) =>
            executeToText(executor, prepared, { variables, context: executing, reportsCost });
          const key = answerKey(prepared, { variables, reportsCost });
          if (key === null) return await execute(context);
          const answer = await answers.answer({ key, context, execute });
          return 'isKept' in answer ? fromText(answer.text) : answer;
        } finally {
          slot.close();
        }
      });
    } catch (error) {
      // An invalid token, an unavailable database and a too large result become GraphQL errors; others are rethrown.
      const known = error instanceof OperationError ? error : explain(error);
      if (!known) throw error;
      const code = known instanceof OperationError ? known.errorName : 'UNAVAILABLE';
      const result = { errors: [toGraphqlError(known)] };
      return { result, status: ERRORS[code].http, text: JSON.stringify(result), isRefused: true, errorCode: code };
    }
  };
}

async function executeToText(executor: Executor, prepared: Prepared, options: RunOptions): Promise<Answered & Answer> {
  const result = await executor.run(prepared, options);
  const isComplete = !result.errors?.some((error) => error.extensions?.code === 'UNAVAILABLE');
  return {
    result,
    status: isComplete ? 200 : ERRORS.UNAVAILABLE.http,
    text: await toAnswerText(result),
    isRefused: result.data === undefined,
    errorCode: result.errors ? codeOf(result.errors) : options.context.outcome.errorCode,
    isKeepable: result.errors === undefined,
  };
}

/** The code of the first error. Errors of the document and its variables have none. */
export function codeOf(errors: readonly GraphQLError[]): string {
  const code = errors[0]?.extensions?.code;
  return typeof code === 'string' && (code in ERRORS || DOCUMENT_CODES.has(code)) ? code : 'BAD_REQUEST';
}

function fromText(text: Buffer): Answered {
  return {
    status: 200,
    text,
    isRefused: false,
    errorCode: null,
    get result() {
      return JSON.parse(String(text)) as ExecutionResult;
    },
  };
}

const ids = new WeakMap<Prepared, number>();
let lastId = 0;

/** Identifies a query with its variables; null for other operations, whose answers are not kept. */
function answerKey(
  prepared: Prepared,
  { variables, reportsCost }: Required<Pick<RunOptions, 'variables' | 'reportsCost'>>,
): string | null {
  if (prepared.operation.operation !== 'query') return null;
  const text = JSON.stringify(variables ?? null);
  // JSON has no infinite numbers, but `1e999` is read as one.
  if (text.includes('null') && hasInfinity(variables)) return null;
  let id = ids.get(prepared);
  if (id === undefined) {
    lastId += 1;
    id = lastId;
    ids.set(prepared, id);
  }
  return `${prepared.operation.name?.value ?? 'query'} ${id} ${reportsCost ? 'cost ' : ''}${text}`;
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}
