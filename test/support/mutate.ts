import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Answer = any;

/** Carries a mutation out over GraphQL: its payload, or the expected failure it answered with. */
export async function mutate(
  gateway: TestGateway,
  operation: string,
  input: object,
  { select, as = 'alice' }: { select: string; as?: string },
): Promise<Answer> {
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { answer: ${operation}(input: $input) {
    __typename ... on ${type}Payload { ${select} } ... on OperationError { code path detail message }
  } }`;
  const { data, errors } = await gateway.graphql<{ answer: Answer }>(document, { as, variables: { input } });
  expect(errors, `${operation} ${JSON.stringify(input).slice(0, 300)}`).toBeUndefined();
  return data.answer;
}

/** Reads over GraphQL what nobody keeps from the reader. */
export async function ask(
  gateway: TestGateway,
  query: string,
  { as = 'alice', variables = {} }: { as?: string; variables?: Record<string, unknown> } = {},
): Promise<Answer> {
  const { data, errors } = await gateway.graphql<Answer>(query, { as, variables });
  expect(errors, query).toBeUndefined();
  return data;
}
