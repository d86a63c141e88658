import type { TestGateway } from './gateway.ts';

export interface Failure {
  code: string;
  message: string;
  path: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
export type Payload = any;

/** Carries out mutations as users of the sample network; answers with the payload, or with the expected failure. */
export function mutations(gateway: () => TestGateway) {
  return async (as: string | null, operation: string, input: object, select: string): Promise<Payload> => {
    const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { answer: ${operation}(input: $input) {
      __typename ... on ${type}Payload { ${select} } ... on OperationError { code message path }
    } }`;
    const { data, errors } = await gateway().graphql<{ answer: Payload }>(query, { as, variables: { input } });
    if (errors) throw new Error(JSON.stringify(errors));
    return data.answer;
  };
}
