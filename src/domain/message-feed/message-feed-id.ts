import { id } from '../input.ts';

/** A parameter that names a message feed, as `findMessageFeed` resolves it. */
export const messageFeedId = () =>
  id().describe('Id of the message feed, or public id of a channel for its default message feed.');
