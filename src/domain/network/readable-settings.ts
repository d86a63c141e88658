import type { NetworkRecord, NetworkSettings } from '../../store/records/user.ts';
import { socialSettings } from './social-settings.ts';

/** The settings of a network as clients read them, with the defaults of those that networks of older releases lack. */
export type ReadableSettings = Omit<NetworkSettings, 'social' | 'deepLinks'> &
  Pick<NetworkRecord, 'createsUnknownUsers'> & {
    social: ReturnType<typeof socialSettings>;
    deepLinks: NonNullable<NetworkSettings['deepLinks']>;
  };

export function readableSettings({
  settings,
  createsUnknownUsers,
}: Pick<NetworkRecord, 'settings' | 'createsUnknownUsers'>): ReadableSettings {
  return {
    ...settings,
    social: socialSettings(settings),
    deepLinks: { domain: '', patterns: {}, ...settings.deepLinks },
    createsUnknownUsers,
  };
}
