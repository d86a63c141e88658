import { getPoll } from '../../src/domain/poll/get-poll.ts';
import { pollsOfUser } from '../../src/domain/poll/list-polls.ts';
import { isVoted, type PollAnswer, pollAnswers } from '../../src/domain/poll/poll-votes.ts';
import { pollStatus } from '../../src/domain/poll/present-poll.ts';
import type { PollRecord } from '../../src/store/records/media.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord } from '../shared/of-record.ts';
import { loadAll } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const Poll = nodeType<PollRecord>('Poll', {
  description: 'A poll: a question with answers to choose from.',
  id: 'pollId',
  load: (context, pollId) => getPoll(context, { pollId }),
});

export const PollAnswerType = restEnum('PollAnswerType', 'Number of answers that a voter can choose.', {
  single: 'Exactly one. Default.',
  multiple: 'One or more.',
});
const PollStatus = restEnum('PollStatus', 'Voting state of a poll.', {
  open: 'Accepts votes.',
  closed: 'Accepts no votes: it was closed, or `closedAt` has passed. A closed poll cannot be reopened.',
});
export const PollAnswerDataType = restEnum(
  'PollAnswerDataType',
  'Kind of content of a poll answer. Defaults to `IMAGE` for an answer with a file, else to `TEXT`.',
  {
    text: 'Text, in `data`.',
    image: 'Image, in `fileId`, with optional text in `data`.',
  },
);

const PollAnswerObject = builder.objectRef<PollAnswer>('PollAnswer').implement({
  description: 'An answer of a poll.',
  fields: (t) => ({
    answerId: t.exposeString('id', { description: 'Id within the poll.' }),
    dataType: t.expose('dataType', { type: PollAnswerDataType, description: 'Kind of content.' }),
    data: t.exposeString('data', { description: 'Text.' }),
    fileId: t.exposeString('fileId', { nullable: true, description: 'File id of the image.' }),
    voteCount: t.exposeInt('voteCount', { description: 'Number of votes.' }),
    isVotedByUser: t.exposeBoolean('isVotedByUser', { description: 'Whether the viewer voted for it.' }),
  }),
});

builder.objectFields(Poll, (t) => ({
  pollId: t.exposeString('pollId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (poll) => poll._id.toHexString(),
  }),
  userId: t.exposeString('userId', { description: 'Public id of the creator.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the creator.' }),
  title: t.exposeString('title', { description: 'Title.' }),
  question: t.exposeString('question', { description: 'Question.' }),
  answerType: t.expose('answerType', {
    type: PollAnswerType,
    description: 'Number of answers that a voter can choose.',
  }),
  answers: t.field({
    type: [PollAnswerObject],
    description: 'The answers, in the order of their creation.',
    resolve: (poll, _, context) => pollAnswers(context, poll),
  }),
  isVoted: t.boolean({
    description: 'Whether the viewer has voted.',
    resolve: (poll, _, context) => isVoted(context, poll),
  }),
  status: t.field({
    type: PollStatus,
    description: 'Voting state.',
    resolve: (poll, _, context) => pollStatus(context, poll),
  }),
  closedIn: t.float({
    description: 'Time from creation to closing in milliseconds.',
    resolve: (poll) => poll.closedIn,
  }),
  closedAt: t.expose('closedAt', { type: 'DateTime', description: 'Closing time.' }),
  isDeleted: t.exposeBoolean('isDeleted', {
    description: 'Whether it is deleted. A deleted poll is returned without its content.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  creator: t.field({
    type: User,
    nullable: true,
    description: 'Creator.',
    resolve: (poll, _, context) => loadUser(context, poll.userId),
  }),
  files: t.field({
    type: [File],
    description: 'The images of its answers.',
    resolve: (poll, _, { load }) =>
      loadAll(
        load.files,
        poll.answers.map((answer) => answer.fileId),
      ),
  }),
}));

export const PollConnection = connectionType(Poll, 'polls');

builder.queryField('poll', (t) =>
  t.field({
    type: Poll,
    nullable: true,
    description: 'A poll by its public id.',
    args: { pollId: t.arg.string({ required: true, description: 'Public id of the poll.' }) },
    resolve: (_, args, context) => getPoll(context, args),
  }),
);

builder.objectField(User, 'polls', (t) =>
  t.connection(
    {
      type: Poll,
      description: 'Polls created by the user that the viewer can see, newest first.',
      resolve: async (user, args, context) =>
        toConnection(await pollsOfUser(context, { userId: user.userId, request: pageRequest(args) })),
    },
    PollConnection,
  ),
);
