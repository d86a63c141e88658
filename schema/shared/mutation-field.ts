import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { EventName } from '../../src/events/catalogue.ts';
import { runIdempotent } from '../../src/limits/idempotency.ts';
import { builder } from '../builder.ts';
import { authorizeReplay } from './authorize-replay.ts';

type Resolve = (
  root: unknown,
  args: { input?: { clientMutationId?: string | null } },
  context: Context,
  info: GraphQLResolveInfo,
) => object | Promise<object>;

/**
 * Declares the events that a mutation appends, in the options of its field, for `docs/reference/events.md`. Tests execute
 * every mutation and compare.
 */
export function causes(...events: EventName[]): { extensions: { events: readonly EventName[] } } {
  return { extensions: { events } };
}

/** Notes the code of a failure that the answer will contain as data. */
async function noteFailure(context: Context, run: () => object | Promise<object>): Promise<object> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OperationError) context.outcome.errorCode ??= error.errorName;
    throw error;
  }
}

/**
 * Pothos' `relayMutationField` with the conventions of this schema: the result is a union of the payload and
 * `OperationError`, and a call is idempotent under its `clientMutationId` (or the `Idempotency-Key` of REST). The result
 * is stored for 24 hours, so it must consist of plain records and contain no secret; a repeated result is authorized
 * again.
 *
 * @param input see {@link inputOf}
 * @param payload its description is optional if the descriptions of its fields are sufficient
 */
export const mutationField: typeof builder.relayMutationField = (name, input, field, payload) => {
  const resolve = field.resolve as unknown as Resolve;
  const payloadName = `${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`;
  const resolveOnce: Resolve = (root, args, context, info) => {
    // The mutations of a document are executed one after another.
    context.operation = name;
    return runIdempotent(
      context,
      { operation: name, input: args.input ?? {}, key: args.input?.clientMutationId ?? context.idempotencyKey },
      {
        run: (own) => noteFailure(own, async () => resolve(root, args, own, info)),
        authorize: (answer) =>
          authorizeReplay(context, {
            answer: answer as { [name: string]: unknown },
            payload: info.schema.getType(payloadName) as GraphQLObjectType,
            schema: info.schema,
          }),
      },
    );
  };
  return builder.relayMutationField(
    name,
    { description: `Input of \`${name}\`.`, ...input } as typeof input,
    { errors: {}, ...field, resolve: resolveOnce as never },
    { description: `Result of \`${name}\`.`, ...payload },
  );
};
