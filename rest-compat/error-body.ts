import { ERRORS, type ErrorName, OperationError } from '../src/errors.ts';

export interface ErrorBody {
  status: 'error';
  code: number;
  message: string;
  data?: { detail: readonly string[] };
}

/** The body that published clients parse (legacy-facts §6.3); it always comes with a non-2xx status. */
export function errorBody(error: OperationError): ErrorBody {
  const body: ErrorBody = { status: 'error', code: error.code, message: error.message };
  return error.detail.length > 0 ? { ...body, data: { detail: error.detail } } : body;
}

interface ExecutionError {
  message: string;
  originalError?: Error | null | undefined;
  extensions?: { [key: string]: unknown } | undefined;
}

/** The expected failure behind an error of an execution; an unexpected one keeps only its log id. */
export function toOperationError(error: ExecutionError): OperationError {
  if (error.originalError instanceof OperationError) return error.originalError;
  const code = error.extensions?.code;
  const known = typeof code === 'string' && Object.hasOwn(ERRORS, code) ? (code as ErrorName) : 'INTERNAL';
  const id = error.extensions?.errorId;
  return new OperationError(known, {
    message: error.message,
    ...(typeof id === 'string' && { detail: [`error id ${id}`] }),
  });
}
