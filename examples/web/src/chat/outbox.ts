import type { ApolloClient } from '@apollo/client';
import { SendMessageDocument } from '../../generated/operations.ts';
import { addMessage } from '../api/lists.ts';
import { send } from '../api/send.ts';
import { createStore } from '../api/store.ts';
import { report } from '../ui/notice.tsx';

/** A message that the gateway has not acknowledged yet. */
export interface Unsent {
  key: string;
  messageFeedId: string;
  text: string;
}

/** Messages that are being sent, oldest first. */
export const unsent = createStore<readonly Unsent[]>([]);

let last: Promise<void> = Promise.resolve();

/** Sends a message after the earlier ones, so that they arrive in the order in which they were written. */
export function sendMessage(client: ApolloClient, messageFeedId: string, text: string): void {
  const message = { key: crypto.randomUUID(), messageFeedId, text };
  unsent.set([...unsent.get(), message]);
  last = last.then(async () => {
    try {
      const input = { messageFeedId, dataType: 'TEXT', data: { text }, idempotencyKey: message.key } as const;
      const { sendMessage } = await send(client, SendMessageDocument, input);
      if (sendMessage.__typename === 'SendMessagePayload') addMessage(client.cache, sendMessage.chatMessage);
    } catch (error) {
      report(error);
    }
    unsent.set(unsent.get().filter(({ key }) => key !== message.key));
  });
}
