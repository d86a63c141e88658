/** The settings that are on or off, by group: the name of each in `updateNetworkSettings`, and its label. */
export const SETTING_GROUPS: ReadonlyArray<{
  title: string;
  hint?: string;
  settings: ReadonlyArray<readonly [name: string, label: string]>;
}> = [
  {
    title: 'Sign-in',
    settings: [['createsUnknownUsers', 'A sign-in with an unknown user id creates the user']],
  },
  {
    title: 'The global feed contains',
    settings: [
      ['social.globalFeed.showMyPost', 'Posts on the feed of the user'],
      ['social.globalFeed.showCommunityPost', 'Posts of communities that the user joined'],
      ['social.globalFeed.showFollowingPost', 'Posts on the feeds of followed users'],
      ['social.globalFeed.showEveryonePost', 'All posts that the user sees'],
    ],
  },
  {
    title: 'Posts and messages',
    settings: [
      ['social.isAllowEditPostWhenReviewingEnabled', 'Authors can change a post that waits for review'],
      ['chat.mention.isAllowMentionedUsers', 'Messages can mention users by name'],
      ['chat.mention.isAllowMentionAll', 'Messages can mention everybody in the channel'],
    ],
  },
  { title: 'Webhooks', settings: [['webhook.enabled', 'Webhooks are sent']] },
  {
    title: 'Applications',
    hint: 'Client applications apply these; the server accepts requests either way.',
    settings: [
      ['social.enabled', 'Offer communities and feeds'],
      ['chat.enabled', 'Offer chat'],
      ['chat.marker.enabled', 'Report read positions'],
      ['chat.messagePreview.enabled', 'Show the newest message in lists of channels'],
      ['chat.messagePreview.isIncludeDeleted', 'Keep a deleted message there until a newer one arrives'],
    ],
  },
];

type Group = { [name: string]: unknown };

/** The value of a setting by its name. */
export function settingOf(settings: object, name: string): unknown {
  return name.split('.').reduce<unknown>((value, key) => (value as Group | undefined)?.[key], settings);
}

/** Settings by name, as the input of `updateNetworkSettings`. */
export function inputOf(values: ReadonlyArray<readonly [name: string, value: unknown]>): Group {
  const input: Group = {};
  for (const [name, value] of values) {
    const path = name.split('.');
    const last = path.pop()!;
    let group = input;
    for (const key of path) {
      group[key] ??= {};
      group = group[key] as Group;
    }
    group[last] = value;
  }
  return input;
}
