import { z } from 'zod';
import { enumParam } from './enum-param.ts';
import type { FlagReason } from './generated/documents.ts';

/** What a flag says (legacy-facts §6.2); both may be left out. */
export const flagParams = {
  reason: enumParam<FlagReason>('FlagReason').nullish(),
  detail: z.string().max(300).nullish(),
};
