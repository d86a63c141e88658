import type { Actor } from '../../src/access/matrix/row.ts';
import type { Answer, RestRequest, Variables, World } from './world.ts';

/** A request of the REST door, made of the variables of the same over GraphQL. */
export type Rest = (variables: Variables) => RestRequest;
/** Whether an answer of the REST door that is no error lacks what was sought. */
export type IsAbsentInRest = (body: Answer['body'], variables: Variables, world: World) => boolean | Promise<boolean>;

/** How one row of the matrix is asked. */
export interface Scene {
  operation: string;
  situation: string;
  /** Written out in full for a query; for a mutation the selection of its payload. */
  document: string;
  /** Sets up what this cell is about, anew each time, and returns the variables; a mutation's `input`. */
  prepare(world: World, actor: Actor): Promise<Variables> | Variables;
  /** The same through the REST door, where the path exists; several where there are several paths. */
  rest?: Rest | readonly Rest[];
  /** What is sent beside the token, or instead of it. */
  headers?: (world: World, actor: Actor) => Promise<Record<string, string>> | Record<string, string>;
  /** What a query answers that found nothing. @default null */
  isAbsent?: (answer: unknown) => boolean;
  /** What the REST door answers, with status 200, that found nothing. @default never: a record is 404 then */
  isAbsentInRest?: IsAbsentInRest;
}

/** Nothing in the side array, which holds only what was sought. */
export const emptyIn =
  (array: string): IsAbsentInRest =>
  (body) =>
    body[array].length === 0;

/** No record of this id in the side array, which may hold others. */
export const lacksIn =
  (array: string, id: string): IsAbsentInRest =>
  (body, variables) =>
    !body[array].some((record: Variables) => record[id] === variables[id]);

/** A mutation, whose payload needs no more than one field of each kind. */
export function mutationScene(
  operation: string,
  situation: string,
  scene: Omit<Scene, 'operation' | 'situation' | 'document'> & { select: string },
): Scene {
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  const { select, prepare, ...rest } = scene;
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
    prepare: async (world, actor) => ({ input: await prepare(world, actor) }),
  };
}
