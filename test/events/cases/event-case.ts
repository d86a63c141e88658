import type { EventData, EventName } from '../../../src/events/catalogue.ts';
import type { TestGateway } from '../../support/gateway.ts';
import type { Payload } from '../../support/mutate.ts';

/** The events that one mutation appends in a given situation. */
export interface EventCase {
  operation: string;
  situation: string;
  /** Creates the records that the mutation needs. Events of this step are not compared. */
  prepare(context: CaseContext): Promise<Call> | Call;
}

export interface CaseContext {
  gateway: TestGateway;
  /** Executes a mutation and returns its payload, or its expected error. */
  mutate(as: string | null, operation: string, input: object, select: string): Promise<Payload>;
}

export interface Call {
  /** The calling user, who is the actor of the events. @default alice */
  as?: string;
  input: object;
  /** The selection of the payload. @default clientMutationId */
  select?: string;
  /** Exactly these events, in this order. @default none */
  events?: ExpectedEvent[] | ((payload: Payload, context: CaseContext) => ExpectedEvent[] | Promise<ExpectedEvent[]>);
  /** The code of the expected error. A failed mutation appends no event. */
  code?: string;
}

export type ExpectedEvent = { [Name in EventName]: [type: Name, path: string, data: DataLike<Name>] }[EventName];

/** Ids are exact; times and ids of snapshots may be `expect.any`. */
type DataLike<Name extends EventName> = { [Field in keyof EventData<Name>]: unknown };
