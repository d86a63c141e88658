import { z } from 'zod';
import { canChangeNetworkSettings } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { NetworkSettings } from '../../store/records/user.ts';
import { validate } from '../input.ts';

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
 * Changes the settings of profiles and feeds. Every process applies them within two seconds.
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function updateSocialSettings(
  context: Context,
  input: z.input<typeof updateSocialSettingsInput>,
): Promise<NetworkSettings> {
  const viewer = viewerOf(context);
  const { networkId } = viewer;
  const { userPrivacySetting, globalFeed } = validate(updateSocialSettingsInput, input);
  if (!canChangeNetworkSettings(viewer)) throw new OperationError('PERMISSION_DENIED');
  const changes = {
    updatedAt: context.now(),
    ...(userPrivacySetting && { 'settings.social.userPrivacySetting': userPrivacySetting }),
    ...Object.fromEntries(
      Object.entries(globalFeed ?? {}).flatMap(([name, value]) =>
        value == null ? [] : [[`settings.social.globalFeed.${name}`, value]],
      ),
    ),
  };
  const network = await context.transaction((session) =>
    context.store.collections.networks.findOneAndUpdate(
      { networkId },
      { $set: changes },
      { session, returnDocument: 'after' },
    ),
  );
  context.store.networkCache.invalidate(networkId);
  if (!network) throw notFound('Network');
  return network.settings;
}
