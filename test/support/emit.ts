import { createContext } from '../../src/context.ts';
import { append, type NewEvent } from '../../src/events/append.ts';
import type { TestGateway } from './gateway.ts';

/** Writes events as an operation would, all in one transaction. */
export async function emit(gateway: TestGateway, events: readonly NewEvent[]): Promise<void> {
  const context = createContext(gateway.services, null);
  await context.transaction((session) => append(context, session, events));
}

/** An event of a post that everybody sees, told apart by its path. */
export function postUpdated(path: string, postId = 'seedlings'): NewEvent {
  return { type: 'post.updated', path: `default/${path}`, data: { postId } };
}
