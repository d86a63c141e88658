import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { PollRecord } from '../../store/records/media.ts';
import { getPoll } from './get-poll.ts';

/** A page of the polls that a user created and the viewer sees, newest first. */
export function pollsOfUser(
  context: Context,
  { userId, request }: { userId: string; request: PageRequest },
): Promise<Page<PollRecord>> {
  const { networkId } = viewerOf(context);
  return readPage<PollRecord>({
    collection: context.store.collections.polls,
    budget: context.reads,
    filter: { networkId, userId, isDeleted: false },
    order: { field: 'createdAt', direction: -1, type: 'date' },
    request,
    visible: async (polls) => {
      for (const poll of polls) context.load.polls.prime(poll.pollId, poll);
      const seen = await Promise.all(polls.map((poll) => getPoll(context, poll)));
      return polls.filter((_, index) => seen[index] !== null);
    },
  });
}
