import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { UnavailableError } from '../../src/database-errors.ts';
import { OperationError } from '../../src/errors.ts';
import { type EventName, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import { type Cursor, checkCursor } from '../../src/events/cursor.ts';
import { toAnswerText } from '../../src/limits/answer-text.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import { UndeliverableEvent } from '../../src/realtime/rendering/undeliverable-event.ts';
import type { SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';
import { topicFilter } from '../../src/realtime/topic-filter.ts';
import { subscriptionName } from '../event/event-type.ts';
import type { Executor, Prepared } from '../execute.ts';

export interface ParsedSubscription {
  spec: SubscriptionSpec;
  after: Cursor | null;
}

type Variables = { readonly [name: string]: unknown };

const NAMES = new Map<string, EventName>(REALTIME_NAMES.map((name) => [subscriptionName(name), name]));
const ALL: ReadonlySet<string> = new Set(REALTIME_NAMES);

/**
 * Derives the spec and the cursor of a subscription from the arguments of its root field.
 *
 * @returns the errors of invalid variables
 * @throws {OperationError} INVALID_PARAMETERS for an invalid topic or cursor, TOO_LARGE for a document over the limit
 */
export function parseSubscription(
  executor: Executor,
  prepared: Prepared,
  given: Variables | null | undefined,
): ParsedSubscription | { errors: readonly GraphQLError[] } {
  const { coerced, errors } = executor.check(prepared, given);
  if (errors) return { errors };
  const field = rootField(prepared.operation.selectionSet, prepared.fragments);
  if (!field) return { errors: [new GraphQLError('The subscription selects no field.')] };
  const { types, topic, after } = argumentsOf(executor.schema, field, coerced);
  if (types && types.length > ALL.size) {
    const detail = [`types: at most ${ALL.size}`];
    throw new OperationError('INVALID_PARAMETERS', { detail, path: ['types'] });
  }
  const variables = withoutCursor(prepared, field, given ?? {});
  const text = JSON.stringify(variables);
  if (text.length + (prepared.document.loc?.source.body.length ?? 0) > LIVE_LIMITS.subscription) {
    const message = `A subscription and its variables have at most ${LIVE_LIMITS.subscription} characters.`;
    throw new OperationError('TOO_LARGE', { message });
  }
  const name = NAMES.get(field.name.value);
  return {
    after: after == null ? null : checkCursor(after),
    spec: {
      key: `${idOf(prepared)} ${text}`,
      types: name ? new Set([name]) : types ? new Set(types) : ALL,
      topic: topic == null ? null : topicFilter(topic),
      render: (root, context) => render(executor, prepared, { variables, root, context }),
    },
  };
}

/** The single root field, which may be in a fragment; validation rejects further fields. */
function rootField(set: SelectionSetNode, fragments: { [name: string]: FragmentDefinitionNode }): FieldNode | null {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) return selection;
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments[selection.name.value]!.selectionSet;
    const found = rootField(inner, fragments);
    if (found) return found;
  }
  return null;
}

interface SubscriptionArguments {
  types?: string[] | null;
  topic?: string | null;
  after?: string | null;
}

function argumentsOf(schema: GraphQLSchema, field: FieldNode, variables: Variables): SubscriptionArguments {
  const definition = schema.getSubscriptionType()!.getFields()[field.name.value]!;
  return getArgumentValues(definition, field, variables) as SubscriptionArguments;
}

/** Removes the cursor from the variables: it does not affect renderings, so subscribers that differ in it share them. */
function withoutCursor({ document }: Prepared, field: FieldNode, given: Variables): Variables {
  const after = field.arguments?.find(({ name }) => name.value === 'after')?.value;
  const cursor = after?.kind === Kind.VARIABLE ? after.name.value : null;
  const uses = new Map<string, number>();
  visit(document, { Variable: ({ name }) => void uses.set(name.value, (uses.get(name.value) ?? 0) + 1) });
  // One use in the declaration, one in the argument.
  const isCursorAlone = (name: string) => name === cursor && uses.get(name) === 2;
  const known = Object.keys(given)
    .filter((name) => uses.has(name))
    .sort();
  return Object.fromEntries(known.map((name) => [name, isCursorAlone(name) ? PLACEHOLDER : given[name]]));
}

/** Replaces the cursor; not null, because the variable may be declared non-null. */
const PLACEHOLDER = '';

const ids = new WeakMap<Prepared, number>();
let lastId = 0;

function idOf(prepared: Prepared): number {
  const known = ids.get(prepared);
  if (known !== undefined) return known;
  lastId += 1;
  ids.set(prepared, lastId);
  return lastId;
}

async function render(
  executor: Executor,
  prepared: Prepared,
  { variables, root, context }: { variables: Variables } & Parameters<typeof executor.run>[1],
): Promise<string> {
  const result = await executor.run(prepared, { variables, context, root });
  // A partial event would never be completed, so the event is rendered again.
  if (result.errors?.some(({ extensions }) => extensions.code === 'UNAVAILABLE')) throw new UnavailableError('slow');
  return toAnswerText(result, 'eventBytes').catch(refusedEvent);
}

/** The result in place of an event that exceeds the limit; the subscription continues. */
function refusedEvent(error: unknown): string {
  if (!(error instanceof OperationError)) throw error;
  return JSON.stringify({ errors: [toGraphqlError(error)], data: null });
}

/** Converts an error of a subscription to a GraphQL error. */
export function toGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  if (error instanceof UnavailableError)
    return new GraphQLError(error.message, { extensions: { code: 'UNAVAILABLE' } });
  const known = error instanceof OperationError ? error : new OperationError('INTERNAL');
  const { errorName, detail } = known;
  return new GraphQLError(known.message, {
    extensions: {
      code: errorName,
      ...(detail.length > 0 && { detail }),
      ...(known instanceof UndeliverableEvent && { cursor: known.cursor }),
    },
  });
}

/** The result that replaces an event that cannot be rendered; the subscription continues. */
export function undeliverableResult(event: UndeliverableEvent): string {
  return JSON.stringify({ errors: [toGraphqlError(event)], data: null });
}
