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
import { LRUCache } from 'lru-cache';
import { UnavailableError } from '../../src/database-errors.ts';
import { OperationError } from '../../src/errors.ts';
import { type EventName, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import { type Cursor, checkCursor } from '../../src/events/cursor.ts';
import { toAnswerText } from '../../src/limits/answer-text.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import { RateLimitError } from '../../src/limits/rates/rate-limits.ts';
import { UndeliverableEvent } from '../../src/realtime/rendering/undeliverable-event.ts';
import type { SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';
import { topicFilter } from '../../src/realtime/topic-filter.ts';
import type { Prepared } from '../documents/prepare.ts';
import { subscriptionName } from '../event/event-type.ts';
import type { Executor } from '../execute.ts';

export interface ParsedSubscription {
  spec: SubscriptionSpec;
  after: Cursor | null;
}

type Variables = { readonly [name: string]: unknown };

const NAMES = new Map<string, EventName>(REALTIME_NAMES.map((name) => [subscriptionName(name), name]));
const ALL: ReadonlySet<string> = new Set(REALTIME_NAMES);

/**
 * Derives the spec and the cursor of a subscription from the arguments of its root field. Subscriptions with the same
 * document and variables share their spec: thousands of clients that reconnect differ in their cursors only.
 *
 * @returns the errors of invalid variables
 * @throws {OperationError} INVALID_PARAMETERS for an invalid topic or cursor, TOO_LARGE for a document over the limit
 */
export function parseSubscription(
  executor: Executor,
  prepared: Prepared,
  given: Variables | null | undefined,
): ParsedSubscription | { errors: readonly GraphQLError[] } {
  const source = sourceOf(prepared);
  if (!source) return { errors: [new GraphQLError('The subscription selects no field.')] };
  const { cursorName, parsed } = source;
  const variables = withoutCursor(source, given ?? {});
  const text = JSON.stringify(variables);
  const cursor = cursorName === null ? undefined : given?.[cursorName];
  // Any other value has to be coerced.
  const known = cursor === undefined || typeof cursor === 'string' ? parsed.get(text) : undefined;
  if (known) return typeof cursor === 'string' ? { spec: known.spec, after: checkCursor(cursor) } : known;
  const { coerced, errors } = executor.check(prepared, given);
  if (errors) return { errors };
  const subscription = parse({ executor, prepared, source, variables, text }, coerced);
  parsed.set(text, subscription);
  return subscription;
}

interface Parsing {
  executor: Executor;
  prepared: Prepared;
  source: SubscriptionSource;
  /** Without the cursor. */
  variables: Variables;
  /** The JSON of the variables. */
  text: string;
}

function parse({ executor, prepared, source, variables, text }: Parsing, coerced: Variables): ParsedSubscription {
  const { field, id } = source;
  const { types, topic, after } = argumentsOf(executor.schema, field, coerced);
  if (types && types.length > ALL.size) {
    const detail = [`types: at most ${ALL.size}`];
    throw new OperationError('INVALID_PARAMETERS', { detail, path: ['types'] });
  }
  if (text.length + (prepared.document.loc?.source.body.length ?? 0) > LIVE_LIMITS.subscription) {
    const message = `A subscription and its variables have at most ${LIVE_LIMITS.subscription} characters.`;
    throw new OperationError('TOO_LARGE', { message });
  }
  const name = NAMES.get(field.name.value);
  return {
    after: after == null ? null : checkCursor(after),
    spec: {
      key: `${id} ${text}`,
      types: name ? new Set([name]) : types ? new Set(types) : ALL,
      topic: topic == null ? null : topicFilter(topic),
      render: (root, context) => render(executor, prepared, { variables, root, context }),
    },
  };
}

/** What the subscriptions of a document have in common. */
interface SubscriptionSource {
  id: number;
  /** The single root field. */
  field: FieldNode;
  /** The variable of the cursor, if nothing else uses it; null without one. */
  cursorName: string | null;
  /** The variables that the document uses, sorted. */
  used: readonly string[];
  /** By the JSON of the variables. */
  parsed: LRUCache<string, ParsedSubscription>;
}

const sources = new WeakMap<Prepared, SubscriptionSource>();
let lastId = 0;
/** Bounds the specs that are kept for a document: the characters of their variables, and as many for each of them. */
const MAX_PARSED = 16_384;
const CHARACTERS_PER_SPEC = 256;

/** @returns null for a document that selects no field */
function sourceOf(prepared: Prepared): SubscriptionSource | null {
  const known = sources.get(prepared);
  if (known) return known;
  const field = rootField(prepared.operation.selectionSet, prepared.fragments);
  if (!field) return null;
  const uses = new Map<string, number>();
  visit(prepared.document, { Variable: ({ name }) => void uses.set(name.value, (uses.get(name.value) ?? 0) + 1) });
  const after = field.arguments?.find(({ name }) => name.value === 'after')?.value;
  // One use in the declaration, one in the argument.
  const isAlone = after?.kind === Kind.VARIABLE && uses.get(after.name.value) === 2;
  lastId += 1;
  const source: SubscriptionSource = {
    id: lastId,
    field,
    cursorName: isAlone ? after.name.value : null,
    used: [...uses.keys()].sort(),
    parsed: new LRUCache({ maxSize: MAX_PARSED, sizeCalculation: (_, text) => text.length + CHARACTERS_PER_SPEC }),
  };
  sources.set(prepared, source);
  return source;
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
function withoutCursor({ cursorName, used }: SubscriptionSource, given: Variables): Variables {
  const known = used.filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(known.map((name) => [name, name === cursorName ? PLACEHOLDER : given[name]]));
}

/** Replaces the cursor; not null, because the variable may be declared non-null. */
const PLACEHOLDER = '';

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
      ...(known instanceof RateLimitError && { retryAfter: known.quota.resetSeconds }),
      ...(known instanceof UndeliverableEvent && { cursor: known.cursor }),
    },
  });
}

/** The result that replaces an event that cannot be rendered; the subscription continues. */
export function undeliverableResult(event: UndeliverableEvent): string {
  return JSON.stringify({ errors: [toGraphqlError(event)], data: null });
}
