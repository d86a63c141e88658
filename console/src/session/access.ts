import type { ViewerQuery } from '../../generated/operations.ts';
import type { ConsolePage } from '../pages.ts';

export interface Access {
  userId: string;
  displayName: string;
  roles: string[];
  permissions: ReadonlySet<string>;
  /** Whether the user holds a network-wide role, or moderates a community or channel. */
  hasConsole: boolean;
  canChangeSettings: boolean;
}

/**
 * What the console offers to a user. It hides what cannot succeed; the server decides about every request.
 *
 * @returns null without a signed-in user
 */
export function accessOf({ viewer, viewerCommunities, viewerChannels }: ViewerQuery): Access | null {
  if (!viewer) return null;
  const permissions = new Set(viewer.permissions);
  const moderatesCommunity = viewerCommunities.edges.some(
    ({ node }) => (node.viewerMembership?.permissions.length ?? 0) > 0,
  );
  const moderatesChannel = viewerChannels.edges.some(({ node }) => node.viewerCanModerate);
  return {
    userId: viewer.userId,
    displayName: viewer.displayName,
    roles: viewer.roles,
    permissions,
    hasConsole: permissions.size > 0 || moderatesCommunity || moderatesChannel,
    canChangeSettings: permissions.has('EDIT_ROLE') && permissions.has('ASSIGN_USER_ROLE'),
  };
}

const FOR_SETTINGS: ReadonlySet<ConsolePage> = new Set(['overview', 'roles', 'webhooks', 'settings', 'audit']);

export function canOpen(access: Access, page: ConsolePage): boolean {
  return access.canChangeSettings || !FOR_SETTINGS.has(page);
}
