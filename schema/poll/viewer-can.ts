import { ownsPoll } from '../../src/access/poll.ts';
import { viewerOf } from '../../src/context.ts';
import { isVoted } from '../../src/domain/poll/poll-votes.ts';
import { pollStatus } from '../../src/domain/poll/present-poll.ts';
import { builder } from '../builder.ts';
import { Poll } from './poll.ts';

builder.objectFields(Poll, (t) => ({
  viewerCanEdit: t.boolean({
    description:
      'Whether the viewer can update and close it: it is open, and the viewer created it or moderates the network.',
    resolve: (poll, _, context) =>
      !poll.isDeleted && pollStatus(context, poll) === 'open' && ownsPoll(viewerOf(context), poll),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: (poll, _, context) => !poll.isDeleted && ownsPoll(viewerOf(context), poll),
  }),
  viewerCanVote: t.boolean({
    description: 'Whether the viewer can vote: it is open, and they have not voted.',
    resolve: async (poll, _, context) =>
      !poll.isDeleted && pollStatus(context, poll) === 'open' && !(await isVoted(context, poll)),
  }),
}));
