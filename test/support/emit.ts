import { createContext } from '../../src/context.ts';
import { appendEvents, type NewEvent } from '../../src/events/append-events.ts';
import type { TestGateway } from './gateway.ts';

/** Appends events to the log in one transaction, as an operation does. */
export async function emit(gateway: TestGateway, events: readonly NewEvent[]): Promise<void> {
  const context = createContext(gateway.services, null);
  await context.transaction((session) => appendEvents(context, session, events));
}

/** An event of a public post; tests distinguish events by their paths. */
export function postUpdated(path: string, postId = 'seedlings'): NewEvent {
  return { type: 'post.updated', path: `default/${path}`, data: { postId } };
}
