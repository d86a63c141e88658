import type { TestGateway } from './gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Answer = any;

/** Carries out a mutation and answers its payload or its OperationError, each with `__typename`. */
export function mutations(gateway: Pick<TestGateway, 'graphql'>) {
  return async (as: string, operation: string, input: object, selection: string): Promise<Answer> => {
    const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { answer: ${operation}(input: $input) {
      __typename ... on ${type}Payload { ${selection} } ... on OperationError { code message path detail }
    } }`;
    const answered = await gateway.graphql<{ answer: Answer }>(query, { as, variables: { input } });
    if (answered.errors || !answered.data) throw new Error(JSON.stringify(answered));
    return answered.data.answer;
  };
}
