import { z } from 'zod';
import { canChangeNetworkSettings } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { NetworkSettings } from '../../store/records/user.ts';
import { validate } from '../input.ts';
import { changeSettings } from './change-settings.ts';

const flag = (description: string) => z.boolean().nullish().describe(description);

export const globalFeedInput = z.object({
  showMyPost: flag('Whether the global feed contains the posts on the feed of the viewer.'),
  showCommunityPost: flag('Whether it contains the posts of communities that the viewer joined.'),
  showFollowingPost: flag('Whether it contains the posts on the feeds of users whom the viewer follows.'),
  showEveryonePost: flag('Whether it contains all posts of the network that the viewer sees.'),
});

export const updateSocialSettingsInput = z.object({
  userPrivacySetting: z
    .enum(['public', 'private'])
    .nullish()
    .describe('Who reads the feeds of users, and whether users approve their followers.'),
  globalFeed: globalFeedInput.nullish().describe('What the global feed contains.'),
});

/**
 * Changes the settings of profiles and feeds. Absent ones keep their value.
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function updateSocialSettings(
  context: Context,
  input: z.input<typeof updateSocialSettingsInput>,
): Promise<NetworkSettings> {
  const viewer = viewerOf(context);
  const { userPrivacySetting, globalFeed } = validate(updateSocialSettingsInput, input);
  if (!canChangeNetworkSettings(viewer)) throw new OperationError('PERMISSION_DENIED');
  const given = Object.entries(globalFeed ?? {}).filter(([, value]) => value != null);
  return changeSettings(context, {
    ...(userPrivacySetting && { 'social.userPrivacySetting': userPrivacySetting }),
    ...Object.fromEntries(given.map(([name, value]) => [`social.globalFeed.${name}`, value])),
  });
}
