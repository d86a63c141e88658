import type { NetworkSettings } from '../../store/records/user.ts';

/** The settings of profiles and feeds with the defaults of those that networks of older releases lack. */
export function socialSettings({ social }: Pick<NetworkSettings, 'social'>) {
  const userPrivacySetting = social.userPrivacySetting ?? 'public';
  return {
    ...social,
    userPrivacySetting,
    isFollowWithRequestEnabled: userPrivacySetting === 'private',
    globalFeed: { showCommunityPost: true, showFollowingPost: true, ...social.globalFeed },
  };
}
