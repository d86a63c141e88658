import { OperationError } from '../../src/errors.ts';
import { builder } from '../builder.ts';
import { ErrorCode } from './error-code.ts';

builder.objectType(OperationError, {
  name: 'OperationError',
  description: 'An expected failure of a mutation. Nothing was changed.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCode,
      description: 'What went wrong, for programs.',
      resolve: (error) => error.errorName,
    }),
    message: t.exposeString('message', { description: 'What went wrong, for people.' }),
    path: t.stringList({ description: 'Where in the input the fault lies.', resolve: (error) => [...error.inputPath] }),
    detail: t.stringList({
      description: 'One line for each parameter at fault.',
      resolve: (error) => [...error.detail],
    }),
  }),
});
