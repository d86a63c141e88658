import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
export type Payload = any;

export interface Failure {
  code: string;
  message: string;
  path: string[];
}

type Asks = Pick<TestGateway, 'graphql'>;

/** Executes a mutation over GraphQL. @returns its payload or its `OperationError` */
export async function mutate(
  gateway: Asks,
  operation: string,
  input: object,
  { select, as = 'alice' }: { select: string; as?: string | null },
): Promise<Payload> {
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { answer: ${operation}(input: $input) {
    __typename ... on ${type}Payload { ${select} } ... on OperationError { code path detail message }
  } }`;
  const { data, errors } = await gateway.graphql<{ answer: Payload }>(document, { as, variables: { input } });
  if (errors) throw new Error(`${operation} ${JSON.stringify(input).slice(0, 300)}: ${JSON.stringify(errors)}`);
  return data.answer;
}

/** Like {@link mutate}, with the user as the first argument. */
export function mutations(of: Asks | (() => Asks)) {
  return (as: string | null, operation: string, input: object, select: string): Promise<Payload> =>
    mutate(typeof of === 'function' ? of() : of, operation, input, { select, as });
}

/** Like {@link mutations}, for mutations that must succeed. */
export function successfulMutations(of: Asks | (() => Asks)) {
  const execute = mutations(of);
  return async (as: string | null, operation: string, input: object, select = 'clientMutationId'): Promise<Payload> => {
    const payload = await execute(as, operation, input, select);
    expect(payload.code, `${operation}: ${payload.message}`).toBeUndefined();
    return payload;
  };
}

/** Executes a query over GraphQL that must succeed. */
export async function ask(
  gateway: Asks,
  query: string,
  { as = 'alice', variables = {} }: { as?: string; variables?: Record<string, unknown> } = {},
): Promise<Payload> {
  const { data, errors } = await gateway.graphql<Payload>(query, { as, variables });
  expect(errors, query).toBeUndefined();
  return data;
}
