import type { FlagReason as Reason } from '../../src/domain/flag/flag-reason.ts';
import { restEnum } from './rest-enum.ts';

export const FlagReason = restEnum<Reason>(
  'FlagReason',
  'Reason for a flag. REST spells a reason as a phrase, such as `Self-harm or suicide`.',
  {
    'Against community guidelines': 'Violates the guidelines of the community.',
    'Harassment or bullying': 'Harasses, insults or bullies somebody.',
    'Self-harm or suicide': 'Depicts or encourages self-harm or suicide.',
    'Violence or threatening content': 'Depicts violence, or threatens somebody.',
    'Selling and promoting restricted items': 'Sells or advertises restricted goods, such as drugs or weapons.',
    'Sexual content or nudity': 'Shows nudity or sexual content.',
    'Spam or scams': 'Unsolicited advertising, or an attempt to defraud.',
    'False information or misinformation': 'States something false or misleading.',
    Others: 'Any other reason, explained in `detail`. Default.',
  },
);
