import { OperationError } from '../../src/errors.ts';
import { builder } from '../builder.ts';
import { ErrorCode } from './error-code.ts';

builder.objectType(OperationError, {
  name: 'OperationError',
  description: 'An expected failure of a mutation, which changed nothing.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCode,
      description: 'Error code, for programs.',
      resolve: (error) => error.errorName,
    }),
    message: t.exposeString('message', { description: 'Error message, for people.' }),
    path: t.stringList({
      description: 'Path of the invalid field in the input.',
      resolve: (error) => [...error.inputPath],
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the reason of the failure ends by itself, such as the ban of a user who signs in.',
    }),
    detail: t.stringList({
      description: 'One line for each invalid parameter.',
      resolve: (error) => [...error.detail],
    }),
  }),
});
