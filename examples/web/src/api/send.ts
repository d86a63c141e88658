import type { ApolloClient, TypedDocumentNode } from '@apollo/client';
import { isTransient } from './transient.ts';

const RETRY_MS = 1_000;

interface Variables {
  input: { idempotencyKey?: string | number | null | undefined };
}

/**
 * Sends a mutation until the gateway answers, with the same `idempotencyKey` each time: a change that the gateway made
 * although its answer was lost is not made twice.
 *
 * @throws {Error} with a message for the user, if the gateway refuses
 */
export async function send<Result extends object, Given extends Variables>(
  client: ApolloClient,
  mutation: TypedDocumentNode<Result, Given>,
  input: Given['input'],
): Promise<Result> {
  const variables = { input: { idempotencyKey: crypto.randomUUID(), ...input } };
  for (;;) {
    try {
      const { data } = await client.mutate({ mutation: mutation as TypedDocumentNode<Result, Variables>, variables });
      return accepted(data as Result);
    } catch (error) {
      if (error instanceof Refused || !isTransient(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

class Refused extends Error {}

/** @throws {Refused} for a result that is an `OperationError` */
function accepted<Result extends object>(data: Result): Result {
  for (const result of Object.values(data))
    if (result?.__typename === 'OperationError') throw new Refused(result.message);
  return data;
}
