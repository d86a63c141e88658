import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { EventName } from '../../src/events/catalogue.ts';
import { runIdempotent } from '../../src/limits/idempotency.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { authorizeReplay } from './authorize-replay.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

type Input = { clientMutationId?: string | null; idempotencyKey?: string | null };

type Resolve = (
  root: unknown,
  args: { input?: Input },
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
 * The key of a write and the input that it identifies. `clientMutationId` is also a key if there is no `idempotencyKey`:
 * deprecated, removed a release later. Such a key identifies the input with it, as in earlier releases.
 */
function keyedInput({ idempotencyKey, ...input }: Input, context: Context): { key: string | null; input: object } {
  if (idempotencyKey === undefined) return { key: input.clientMutationId ?? context.idempotencyKey, input };
  const { clientMutationId: _, ...identified } = input;
  return { key: idempotencyKey, input: identified };
}

const IDEMPOTENCY_KEY =
  'Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent.';

/**
 * Pothos' `relayMutationField` with the conventions of this schema: the result is a union of the payload and
 * `OperationError`, and a call is idempotent under its `idempotencyKey` (or the `Idempotency-Key` of REST). The result
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
      { operation: name, ...keyedInput(args.input ?? {}, context) },
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
    { description: `Input of \`${name}\`.`, ...withKey(input as object) } as typeof input,
    { errors: {}, ...field, resolve: resolveOnce as never },
    { description: `Result of \`${name}\`.`, ...payload },
  );
};

type InputFields = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => object;

function withKey<Options extends object>(input: Options): Options {
  const { inputFields } = input as { inputFields?: InputFields };
  const fields: InputFields = (t) => ({
    ...inputFields?.(t),
    idempotencyKey: t.id({ description: IDEMPOTENCY_KEY }),
  });
  return { ...input, inputFields: fields };
}
