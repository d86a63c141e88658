import type { TestGateway } from '../../support/gateway.ts';
import type { Outcome, Person } from './model.ts';

/** The same community behind a gateway: ids stand where the model has the record of the same place. */
export interface Real {
  communityId: string;
  channelId: string;
  messageFeedId: string;
  posts: Array<{ postId: string; poll: { pollId: string; answerIds: string[] } | null; comments: string[] }>;
  messages: string[];
  /** The user id of one of the people, each life having its own. */
  nameOf(person: Person): string;
  /** Carries out a mutation as somebody. */
  change(as: Person, operation: string, input: object, selection?: string): Promise<Changed>;
  ask<Data>(as: Person, query: string, variables?: Record<string, unknown>): Promise<Data>;
}

interface Changed {
  outcome: Outcome;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  payload: any;
}

/** Asks as the users whose names begin with `life`, so that each life has people of its own. */
export function createReal(gateway: TestGateway, life: string): Real {
  const nameOf = (person: Person): string => `${life}-${person}`;
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
