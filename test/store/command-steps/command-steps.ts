import { steps as concerns } from './concerns.ts';
import { steps as envelopes } from './envelopes.ts';
import { steps as statements } from './statements.ts';
import type { Step } from './step.ts';
import { steps as transactions } from './transactions.ts';
import { steps as upserts } from './upserts.ts';
import { steps as variables } from './variables.ts';

/** All steps, by the part of the file name with their recorded replies. */
export const COMMAND_STEPS: Readonly<Record<string, readonly Step[]>> = {
  statements,
  transactions,
  concerns,
  envelopes,
  upserts,
  let: variables,
};
