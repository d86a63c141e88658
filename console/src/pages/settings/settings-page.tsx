import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ContentRules } from './content-rules.tsx';
import { Keys } from './keys.tsx';
import { NetworkSettings } from './network-settings.tsx';
import { Sessions } from './sessions.tsx';

/** What administrators set for the whole network. */
export function SettingsPage() {
  return (
    <Page title="Settings and keys" about="They apply to the whole network, at all gateways.">
      <Tabs
        label="Kinds of settings"
        tabs={[
          ['Keys', <Keys key="keys" />],
          ['Content rules', <ContentRules key="rules" />],
          ['Settings', <NetworkSettings key="settings" />],
          ['Sessions', <Sessions key="sessions" />],
        ]}
      />
    </Page>
  );
}
