import type { ReactNode } from 'react';
import { AuditPage } from './pages/audit/audit-page.tsx';
import { ChannelsPage } from './pages/channels/channels-page.tsx';
import { CommunitiesPage } from './pages/communities/communities-page.tsx';
import { EventsPage } from './pages/events/events-page.tsx';
import { ExplorersPage } from './pages/explorers/explorers-page.tsx';
import { ContentPage } from './pages/moderation/content-page.tsx';
import { ModerationPage } from './pages/moderation/moderation-page.tsx';
import { OverviewPage } from './pages/overview/overview-page.tsx';
import { PeoplePage } from './pages/people/people-page.tsx';
import { RolesPage } from './pages/roles/roles-page.tsx';
import { SettingsPage } from './pages/settings/settings-page.tsx';
import { WebhooksPage } from './pages/webhooks/webhooks-page.tsx';
import type { ConsolePage } from './pages.ts';

export interface NavigationItem {
  page: ConsolePage;
  title: string;
  /** @param segments of the path after the page */
  Content(props: { segments: string[] }): ReactNode;
}

/** The pages, in the order of the navigation; the first that a user may open is their start page. */
export const NAVIGATION: readonly NavigationItem[] = [
  { page: 'overview', title: 'Overview', Content: OverviewPage },
  { page: 'moderation', title: 'Moderation', Content: ModerationPage },
  { page: 'content', title: 'Content', Content: ContentPage },
  { page: 'people', title: 'People', Content: PeoplePage },
  { page: 'communities', title: 'Communities', Content: CommunitiesPage },
  { page: 'channels', title: 'Channels', Content: ChannelsPage },
  { page: 'roles', title: 'Roles and permissions', Content: RolesPage },
  { page: 'webhooks', title: 'Webhooks', Content: WebhooksPage },
  { page: 'settings', title: 'Settings and keys', Content: SettingsPage },
  { page: 'audit', title: 'Audit log', Content: AuditPage },
  { page: 'events', title: 'Live events', Content: EventsPage },
  { page: 'explorers', title: 'API explorers', Content: ExplorersPage },
];
