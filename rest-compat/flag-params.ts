import { z } from 'zod';
import { enumParam } from './enum-param.ts';

/** Why a record is flagged: `docs/interface.md#flag-reasons`. */
export const flagParams = {
  reason: enumParam('FlagReason').nullish(),
  detail: z.string().max(300).nullish(),
};
