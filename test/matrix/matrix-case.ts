import type { Actor } from '../../src/access/matrix/row.ts';
import type { Answer, Fixtures, RestRequest, Variables } from './fixtures.ts';

/** Builds a REST request from the GraphQL variables. */
export type Rest = (variables: Variables) => RestRequest;
/** Whether a successful REST response lacks the requested record. */
export type IsAbsentInRest = (
  body: Answer['body'],
  variables: Variables,
  fixtures: Fixtures,
) => boolean | Promise<boolean>;

/** How one row of the matrix is tested. */
export interface MatrixCase {
  operation: string;
  situation: string;
  /** The GraphQL document. */
  document: string;
  /** Creates the records of one cell, new ones for each actor, and returns the variables, for a mutation its `input`. */
  prepare(fixtures: Fixtures, actor: Actor): Promise<Variables> | Variables;
  /** The equivalent REST requests, one for each path. */
  rest?: Rest | readonly Rest[];
  /** Additional request headers. */
  headers?: (fixtures: Fixtures, actor: Actor) => Promise<Record<string, string>> | Record<string, string>;
  /** The network that the mutation of the administrator changes. @default default */
  networkId?: string;
  /** Whether a result means that the record is absent. @default null */
  isAbsent?: (answer: unknown) => boolean;
  /** Whether a REST response with status 200 means that the record is absent. @default never: such a record is a 404 */
  isAbsentInRest?: IsAbsentInRest;
}

/** The side array is empty. */
export const emptyIn =
  (array: string): IsAbsentInRest =>
  (body) =>
    body[array].length === 0;

/** The side array has no record of this id. */
export const isMissingFrom =
  (array: string, id: string): IsAbsentInRest =>
  (body, variables) =>
    !body[array].some((record: Variables) => record[id] === variables[id]);

/** A case of a mutation; `select` is the selection of its payload. */
export function mutationCase(
  operation: string,
  situation: string,
  testCase: Omit<MatrixCase, 'operation' | 'situation' | 'document'> & { select: string },
): MatrixCase {
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  const { select, prepare, ...rest } = testCase;
  const document = `mutation ($input: ${type}Input!) {
    answer: ${operation}(input: $input) {
      __typename ... on ${type}Payload { ${select} } ... on OperationError { code message path detail }
    }
  }`;
  return {
    ...rest,
    operation,
    situation,
    document,
    prepare: async (fixtures, actor) => ({ input: await prepare(fixtures, actor) }),
  };
}
