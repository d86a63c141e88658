import { ERRORS, type ErrorName, OperationError } from '../src/errors.ts';

export interface ErrorBody {
  status: 'error';
  code: number;
  message: string;
  data?: { detail: readonly string[] };
}

/** The body of every response that is not a success: `docs/interface.md#errors`. */
export function errorBody(error: OperationError): ErrorBody {
  const body: ErrorBody = { status: 'error', code: error.code, message: error.message };
  return error.detail.length > 0 ? { ...body, data: { detail: error.detail } } : body;
}

interface ExecutionError {
  message: string;
  originalError?: Error | null | undefined;
  extensions?: { [key: string]: unknown } | undefined;
}

/** Converts an error of a GraphQL execution. An unexpected one keeps only the id under which it is logged. */
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
