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
import { eventsBehind } from '../../src/webhooks/names.ts';
import { subscriptionName } from '../event/event-type.ts';
import { beyondLimits } from '../execute.ts';

/**
 * What is wrong with a document that is to select the bodies of events: it must be valid, hold subscriptions without
 * variables, and one of them for each event, by its own field or by `events`.
 */
export function checkSelectionOf(schema: GraphQLSchema): CheckSelection {
  return (selection, webhookNames) => {
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
      .flatMap(eventsBehind)
      .filter((event) => !operationFor(document, event))
      .map((event) => `no subscription for ${event}: ${fieldsFor(event)}`);
  };
}

/** The operation of a document that selects the body of an event, by its own field before `events`. */
export function operationFor(document: DocumentNode, event: string): OperationDefinitionNode | undefined {
  const operations = operationsOf(document);
  const isListened = EVENTS[event as EventName]?.realtime ?? false;
  const by = (field: string) => operations.find((operation) => rootFieldOf(operation) === field);
  return isListened ? (by(subscriptionName(event)) ?? by('events')) : undefined;
}

function fieldsFor(event: EventName): string {
  return EVENTS[event].realtime
    ? `ask for ${subscriptionName(event)} or events`
    : 'it is sent with the documented body alone';
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
  if (operation.operation !== 'subscription') return ['Only subscriptions select bodies.'];
  if ((operation.variableDefinitions ?? []).length > 0) return ['A selection has no variables.'];
  const [field] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD) return ['A subscription begins with a field, not with a fragment.'];
  if ((field.arguments ?? []).length > 0) return [`${field.name.value}: a selection has no arguments here.`];
  const fragments = Object.fromEntries(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const refused = beyondLimits(measure({ schema, operation, fragments, variables: {} }));
  return refused ? [refused.message] : [];
}
