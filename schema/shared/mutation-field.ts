import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../src/context.ts';
import { once } from '../../src/limits/idempotency.ts';
import { builder } from '../builder.ts';
import { authorizeReplay } from './authorize-replay.ts';

type Resolve = (
  root: unknown,
  args: { input?: { clientMutationId?: string | null } },
  context: Context,
  info: GraphQLResolveInfo,
) => object | Promise<object>;

/**
 * As Pothos' `relayMutationField`, for a mutation that is made once under its `clientMutationId` (or the
 * `Idempotency-Key` of the REST door), however often it is sent within 24 hours. What it returns is kept for a day, so
 * it must be plain records and hold no secret. An answer that is repeated is authorized again.
 */
export const mutationField: typeof builder.relayMutationField = (name, input, field, payload) => {
  const resolve = field.resolve as unknown as Resolve;
  const payloadName = `${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`;
  const made: Resolve = (root, args, context, info) =>
    once(
      context,
      { operation: name, input: args.input ?? {}, key: args.input?.clientMutationId ?? context.idempotencyKey },
      {
        run: (own) => resolve(root, args, own, info),
        authorize: (answer) =>
          authorizeReplay(context, {
            answer: answer as { [name: string]: unknown },
            payload: info.schema.getType(payloadName) as GraphQLObjectType,
            schema: info.schema,
          }),
      },
    );
  return builder.relayMutationField(name, input, { errors: {}, ...field, resolve: made as never }, payload);
};
