import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import type { CheckSelection } from '../../src/domain/webhook/endpoint-input.ts';
import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { measure } from '../../src/limits/cost.ts';
import { exceededLimit } from '../../src/limits/document-limits.ts';
import { limitExceeded, OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { eventTypesOf } from '../../src/webhooks/names.ts';
import { subscriptionName } from '../event/event-type.ts';
import { beyondLimits } from '../execute.ts';

/**
 * Validates a document that selects the bodies of events. It must be valid GraphQL and contain only subscriptions without
 * variables and root arguments, with one for each event: through the event's own field or through `events`.
 *
 * @param accepts whether clients may send a document; by default any
 */
export function checkSelectionOf(
  schema: GraphQLSchema,
  accepts: (text: string) => boolean = () => true,
): CheckSelection {
  return (selection, webhookNames) => {
    if (!accepts(selection)) return ['this server accepts trusted documents only'];
    const document = parsed(selection);
    if (!('kind' in document)) return [document.message];
    const excess = exceededLimit(document);
    if (excess) return [limitExceeded(excess.limit, excess.actual)];
    const errors = validate(schema, document, undefined, { maxErrors: 20 });
    if (errors.length > 0) return errors.map(({ message }) => message);
    const operations = operationsOf(document);
    const faults = operations.flatMap((operation) => faultsOf(schema, document, operation));
    if (faults.length > 0) return faults;
    return webhookNames
      .flatMap(eventTypesOf)
      .filter((event) => !operationFor(document, event))
      .map((event) => `no subscription for ${event}: ${fieldsFor(event)}`);
  };
}

/** The operation of a document that selects the body of an event. The event's own field takes precedence over `events`. */
export function operationFor(document: DocumentNode, event: string): OperationDefinitionNode | undefined {
  const operations = operationsOf(document);
  const isSubscribable = EVENTS[event as EventName]?.realtime ?? false;
  const operationWith = (field: string) => operations.find((operation) => rootFieldOf(operation) === field);
  return isSubscribable ? (operationWith(subscriptionName(event)) ?? operationWith('events')) : undefined;
}

function fieldsFor(event: EventName): string {
  return EVENTS[event].realtime
    ? `select ${subscriptionName(event)} or events`
    : 'this event can only be sent with its documented body';
}

function parsed(selection: string): DocumentNode | { message: string } {
  if (selection.length > OPERATION_LIMITS.source) return { message: limitExceeded('source', selection.length) };
  try {
    return parse(selection, { maxTokens: OPERATION_LIMITS.tokens });
  } catch (error) {
    return { message: error instanceof GraphQLError ? error.message : 'The document nests too deeply.' };
  }
}

function operationsOf({ definitions }: DocumentNode): OperationDefinitionNode[] {
  return definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
}

function rootFieldOf({ selectionSet }: OperationDefinitionNode): string | null {
  const [field] = selectionSet.selections;
  return field?.kind === Kind.FIELD ? field.name.value : null;
}

function faultsOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): string[] {
  if (operation.operation !== 'subscription') return ['Every operation of a selection must be a subscription.'];
  if ((operation.variableDefinitions ?? []).length > 0) return ['A selection must not have variables.'];
  const [field] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD) return ['The root selection must be a field, not a fragment.'];
  if ((field.arguments ?? []).length > 0)
    return [`${field.name.value}: a root field of a selection must not have arguments.`];
  const fragments = Object.fromEntries(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const refused = beyondLimits(measure({ schema, operation, fragments, variables: {} }));
  return refused ? [refused.message] : [];
}
