import { builder } from '../builder.ts';
import { PollAnswerDataType } from './poll.ts';

export const PollAnswerInput = builder.inputType('PollAnswerInput', {
  description: 'One of the answers of a poll.',
  fields: (t) => ({
    dataType: t.field({ type: PollAnswerDataType, description: 'What it shows; `TEXT` unless it names a file.' }),
    data: t.string({ description: 'The text, at most 300 characters; needed for `TEXT`.' }),
    fileId: t.string({ description: 'A picture of the viewer, for `IMAGE`.' }),
  }),
});
