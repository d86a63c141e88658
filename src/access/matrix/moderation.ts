import { type Row, rows } from './row.ts';

/** The audit log. */
export const MODERATION: readonly Row[] = rows({
  auditLog: { 'of the network': '- . . . . . . . + .' },
  bans: {
    'from the network': '- . . . . . . + + .',
    'from a community': '- . . . . . + + + .',
    'from a channel': '- . . . . . + + + .',
  },
});
