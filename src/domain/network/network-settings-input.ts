import { z } from 'zod';
import { json, text } from '../input.ts';

const flag = (description: string) => z.boolean().nullish().describe(description);

export const mentionSettingsInput = z.object({
  isAllowMentionedUsers: flag('Whether messages can mention users by name.'),
  isAllowMentionAll: flag('Whether messages can mention everybody in the channel.'),
});

export const messagePreviewSettingsInput = z.object({
  enabled: flag('Whether clients show the newest message in lists of channels. Clients apply it.'),
  isIncludeDeleted: flag('Whether clients keep a deleted message there until a newer one arrives. Clients apply it.'),
});

export const markerSettingsInput = z.object({
  enabled: flag('Whether clients report read positions. Clients apply it; positions that arrive are stored.'),
});

export const chatSettingsInput = z.object({
  enabled: flag('Whether clients offer chat. Clients apply it; the server accepts chat either way.'),
  mention: mentionSettingsInput.nullish().describe('Mentions in messages.'),
  messagePreview: messagePreviewSettingsInput.nullish().describe('The newest message in lists of channels.'),
  marker: markerSettingsInput.nullish().describe('Read positions.'),
});

export const globalFeedInput = z.object({
  showMyPost: flag('Whether the global feed contains the posts on the feed of the viewer.'),
  showCommunityPost: flag('Whether it contains the posts of communities that the viewer joined.'),
  showFollowingPost: flag('Whether it contains the posts on the feeds of users whom the viewer follows.'),
  showEveryonePost: flag('Whether it contains all posts of the network that the viewer sees.'),
});

/** The settings of `updateSocialSettings`, which are part of {@link socialSettingsInput}. */
export const updateSocialSettingsInput = z.object({
  userPrivacySetting: z
    .enum(['public', 'private'])
    .nullish()
    .describe('Who reads the feeds of users, and whether users approve their followers.'),
  globalFeed: globalFeedInput.nullish().describe('What the global feed contains.'),
});

export const socialSettingsInput = updateSocialSettingsInput.extend({
  enabled: flag('Whether clients offer communities and feeds. Clients apply it; the server accepts posts either way.'),
  isAllowEditPostWhenReviewingEnabled: flag('Whether authors can change a post that waits for review.'),
});

export const webhookSettingsInput = z.object({
  enabled: flag('Whether webhooks are sent, as `switchWebhooks` sets it.'),
});

export const deepLinkSettingsInput = z.object({
  domain: text({ min: 0, max: 253 }).nullish().describe('Domain of the addresses, such as app.example.com.'),
  patterns: json()
    .nullish()
    .describe('Path of each kind of record by its name, such as `{post: "/post/{postId}"}`; replaces all patterns.'),
});

/** Every setting that an operation can change. An absent or null one keeps its value. */
export const updateNetworkSettingsInput = z.object({
  chat: chatSettingsInput.nullish().describe('Settings of chat.'),
  social: socialSettingsInput.nullish().describe('Settings of profiles, communities and feeds.'),
  webhook: webhookSettingsInput.nullish().describe('Settings of webhooks.'),
  deepLinks: deepLinkSettingsInput.nullish().describe('Addresses that open records in the application.'),
  createsUnknownUsers: flag(
    'Whether a sign-in creates a user who does not exist yet. Otherwise it fails with `NOT_FOUND`.',
  ),
});
