import { type Row, rows } from './row.ts';

/** The moderation queue, the audit log and bans. */
export const MODERATION: readonly Row[] = rows({
  auditLog: { 'of the network': '- . . . . . . . + .' },
  moderationQueue: {
    'a flagged post in a community': '- . . . . . + + + .',
    'a post that awaits review': '- . . . . . + + + .',
    'a flagged comment in a community': '- . . . . . + + + .',
    'a flagged post on a user’s feed': '- . . . . . . + + .',
    'a flagged message in a channel': '- . . . . . + + + .',
    'a flagged user': '- . . . . . . + + .',
  },
  moderationItem: {
    'a flagged post in a community': '- . . . . . + + + .',
    'a post that awaits review': '- . . . . . + + + .',
    'a flagged comment in a community': '- . . . . . + + + .',
    'a flagged post on a user’s feed': '- . . . . . . + + .',
    'a flagged message in a channel': '- . . . . . + + + .',
    'a flagged user': '- . . . . . . + + .',
  },
  resolveModerationItem: {
    'a flagged post in a community': '- . . . . . + + + .',
    'a post that awaits review': '- . . . . . + + + .',
    'a flagged message in a channel': '- . . . . . + + + .',
    'a flagged user': '- . . . . . . + + .',
  },
  resolveModerationItems: {
    'a flagged comment in a community': '- . . . . . + + + .',
    'a flagged user': '- . . . . . . + + .',
  },
  bans: {
    'from the network': '- . . . . . . + + .',
    'from a community': '- . . . . . + + + .',
    'from a channel': '- . . . . . + + + .',
  },
  mutes: {
    'in all channels': '- . . . . . . + + .',
    'in a channel': '- . . . . . + + + .',
  },
});
