import { ObjectId } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { PollRecord } from '../../store/records/media.ts';
import { usableFiles } from '../file/usable-files.ts';
import { id, integer, text, withoutNull } from '../input.ts';

const DAY_MS = 24 * 3_600_000;
/** How long a poll accepts votes by default, in milliseconds. */
export const DEFAULT_CLOSED_IN = 30 * DAY_MS;
const MAX_CLOSED_IN = 366 * DAY_MS;

export const pollAnswer = z.object({
  dataType: z
    .enum(['text', 'image'])
    .nullish()
    .describe('Kind of content; an image by default if there is a file, else text.'),
  data: text({ min: 0, max: 300 }).nullish().describe('Text; required unless there is a file.'),
  fileId: id().nullish().describe('File id of an image that the viewer uploaded.'),
});
type AnswerInput = z.output<typeof pollAnswer>;

const title = text({ min: 0, max: 150 }).describe('Title.');
const question = text({ max: 500 }).describe('Question; cannot be changed once a user has voted.');
const answers = z
  .array(pollAnswer)
  .min(2, 'at least 2')
  .max(10, 'at most 10')
  .describe('Answers; cannot be changed once a user has voted.');
const closedIn = integer({ min: 1, max: MAX_CLOSED_IN }).describe(
  'Time from creation to closing in milliseconds; the closing time must be in the future. Default on creation: 30 days.',
);

export const createPollInput = z.object({
  title: title.nullish(),
  question,
  answerType: z
    .enum(['single', 'multiple'])
    .nullish()
    .describe('Number of answers that a voter can choose; one by default.'),
  answers,
  closedIn: closedIn.nullish(),
});
export type CreatePollInput = z.input<typeof createPollInput>;

export const pollIdInput = z.object({ pollId: id().describe('Public id of the poll.') });

export const updatePollInput = pollIdInput.extend({
  title: title.nullish(),
  question: withoutNull(question),
  answers: withoutNull(answers),
  closedIn: withoutNull(closedIn),
  status: withoutNull(z.literal('closed').describe('Closes the poll immediately.')),
});
export type UpdatePollInput = z.input<typeof updatePollInput>;

/** The texts of a new or changed poll, to which the content rules of the network apply. */
export const textsOf = ({
  title,
  question,
  answers,
}: Pick<z.output<typeof updatePollInput>, 'title' | 'question' | 'answers'>) => [
  title,
  question,
  ...(answers ?? []).map(({ data }) => data),
];

/**
 * New answers without votes, each with a generated id.
 * @param held ids of the images that the poll already contains
 * @throws {OperationError} INVALID_PARAMETERS for an answer without content or with a file other than an image;
 *   NOT_FOUND for a file that the viewer did not upload
 */
export async function newAnswers(
  context: Context,
  given: readonly AnswerInput[],
  held: readonly string[] = [],
): Promise<PollRecord['answers']> {
  const path = ['answers'];
  const fileIds = [...new Set(given.flatMap(({ fileId }) => fileId ?? []))];
  const files = await usableFiles(context, fileIds, { held, path });
  if (files.some(({ type }) => type !== 'image')) throw fault('the file must be an image');
  return given.map(({ dataType, data, fileId }) => {
    const kind = dataType ?? (fileId ? 'image' : 'text');
    if (kind === 'image' && !fileId) throw fault('an image answer requires a file');
    if (kind === 'text' && !data) throw fault('a text answer requires text');
    return { id: new ObjectId().toHexString(), dataType: kind, data: data ?? '', fileId: fileId ?? null, voteCount: 0 };
  });

  function fault(message: string): OperationError {
    return new OperationError('INVALID_PARAMETERS', { detail: [`answers: ${message}`], path });
  }
}
