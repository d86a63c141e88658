// An application of the React UI kit: one user, and the page that the address names. Bundled by `bundle.ts`.
import { AmityUiKitChat, AmityUiKitProvider, AmityUiKitSocial, useAmityNavigation } from '@amityco/ui-kit';
import { createElement as element, useEffect } from 'react';
import { createRoot } from 'react-dom/client';

const settings = new URLSearchParams(location.search);
const url = settings.get('gateway');

/** Lets the walk open a page that has no link on every screen. */
function Navigation() {
  const navigation = useAmityNavigation();
  useEffect(() => {
    globalThis.navigation = navigation;
  });
  return null;
}

const page =
  settings.get('page') === 'chat'
    ? element(AmityUiKitChat, { defaultChannelId: settings.get('channel') })
    : element(AmityUiKitSocial);

createRoot(document.getElementById('root')).render(
  element(
    AmityUiKitProvider,
    {
      apiKey: settings.get('key'),
      apiRegion: 'sg',
      apiEndpoint: { http: url, mqtt: `${url.replace('http', 'ws')}/mqtt` },
      userId: settings.get('user'),
      displayName: settings.get('user'),
    },
    element(Navigation),
    page,
  ),
);
