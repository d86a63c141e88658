import type { TestGateway } from '../../support/gateway.ts';
import type { Outcome, Person } from './model.ts';

/** The same community in a gateway. Each id has the index of its record in the model. */
export interface Real {
  communityId: string;
  channelId: string;
  messageFeedId: string;
  posts: Array<{ postId: string; poll: { pollId: string; answerIds: string[] } | null; comments: string[] }>;
  messages: string[];
  /** The user id of a person; each run has its own users. */
  nameOf(person: Person): string;
  /** Executes a mutation as a person. */
  change(as: Person, operation: string, input: object, selection?: string): Promise<Changed>;
  ask<Data>(as: Person, query: string, variables?: Record<string, unknown>): Promise<Data>;
}

interface Changed {
  outcome: Outcome;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  payload: any;
}

/** @param run prefix of the user ids, so that each run has its own users */
export function createReal(gateway: TestGateway, run: string): Real {
  const nameOf = (person: Person): string => `${run}-${person}`;
  return {
    nameOf,
    communityId: '',
    channelId: '',
    messageFeedId: '',
    posts: [],
    messages: [],
    async change(as, operation, input, selection = 'clientMutationId') {
      const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
      const query = `mutation ($input: ${type}Input!) { answer: ${operation}(input: $input) { __typename ... on ${type}Payload { ${selection} } ... on OperationError { code errorMessage: message } } }`;
      const { data, errors } = await gateway.graphql<{ answer: { __typename: string; code?: Outcome } }>(query, {
        as: nameOf(as),
        variables: { input },
      });
      if (errors) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
      const { answer } = data;
      return { outcome: answer.__typename === 'OperationError' ? answer.code! : 'done', payload: answer };
    },
    async ask<Data>(as: Person, query: string, variables?: Record<string, unknown>) {
      const { data, errors } = await gateway.graphql<Data>(query, { as: nameOf(as), ...(variables && { variables }) });
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
  };
}
