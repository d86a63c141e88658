import type { AuditSubject } from '../../../generated/operations.ts';

/** Names of the kinds of records on which acts are recorded. */
export const SUBJECTS: { readonly [Subject in AuditSubject]: string } = {
  CATEGORY: 'Category',
  CHANNEL: 'Channel',
  COMMENT: 'Comment',
  COMMUNITY: 'Community',
  FILE: 'File',
  JOIN_REQUEST: 'Join request',
  MESSAGE: 'Message',
  MESSAGE_FEED: 'Message feed',
  NETWORK: 'Network',
  POLL: 'Poll',
  POST: 'Post',
  ROLE: 'Role',
  ROOM: 'Room',
  STORY: 'Story',
  USER: 'User',
  VIDEO_STREAM: 'Video stream',
  WEBHOOK_ENDPOINT: 'Webhook endpoint',
};
