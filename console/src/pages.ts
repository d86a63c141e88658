/** First segments of the paths below `/admin`, for which the gateway serves the console. */
export const CONSOLE_PAGES = [
  '',
  'login',
  'overview',
  'moderation',
  'people',
  'content',
  'communities',
  'channels',
  'roles',
  'webhooks',
  'settings',
  'audit',
  'events',
  'explorers',
] as const;

export type ConsolePage = (typeof CONSOLE_PAGES)[number];
