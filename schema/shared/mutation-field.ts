import { once } from '../../src/limits/once.ts';
import { builder } from '../builder.ts';

type Context = Parameters<typeof once>[0];
type Resolve = (
  root: unknown,
  args: { input?: { clientMutationId?: string | null } },
  context: Context,
  info: unknown,
) => object | Promise<object>;

/**
 * As Pothos' `relayMutationField`, for a mutation that is made once under its `clientMutationId` (or the
 * `Idempotency-Key` of the REST door), however often it is sent within 24 hours. What it returns is kept for a day, so
 * it must be plain records and hold no secret.
 */
export const mutationField: typeof builder.relayMutationField = (name, input, field, payload) => {
  const resolve = field.resolve as unknown as Resolve;
  const made: Resolve = (root, args, context, info) =>
    once(
      context,
      { operation: name, input: args.input ?? {}, key: args.input?.clientMutationId ?? context.idempotencyKey },
      (own) => resolve(root, args, own, info),
    );
  return builder.relayMutationField(name, input, { ...field, resolve: made as never }, payload);
};
