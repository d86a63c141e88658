import type { EventData, EventName } from '../../../src/events/catalogue.ts';
import type { TestGateway } from '../../support/gateway.ts';
import type { Payload } from '../../support/mutate.ts';

/** What one mutation appends to the log, or that it appends nothing. */
export interface EventRow {
  operation: string;
  situation: string;
  /** Sets up what the row is about. What that appends does not count. */
  prepare(world: World): Promise<Call> | Call;
}

export interface World {
  gateway: TestGateway;
  /** Carries a mutation out: its payload, or the expected failure that it answered with. */
  make(as: string | null, operation: string, input: object, select: string): Promise<Payload>;
}

export interface Call {
  /** Who asks, and so whom the events name as their actor. @default alice */
  as?: string;
  input: object;
  /** What is selected of the payload. @default clientMutationId */
  select?: string;
  /** Exactly these, in this order. @default none */
  events?: Expected[] | ((payload: Payload, world: World) => Expected[] | Promise<Expected[]>);
  /** The expected failure that it answers with, which leaves no event. */
  code?: string;
}

export type Expected = { [Name in EventName]: [type: Name, path: string, data: DataLike<Name>] }[EventName];

/** Ids are exact; the times and ids of copies may be vitest's `expect.any`. */
type DataLike<Name extends EventName> = { [Field in keyof EventData<Name>]: unknown };
