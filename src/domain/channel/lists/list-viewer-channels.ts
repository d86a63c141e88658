import { canSeeChannel } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { canSeeAttachedMedia } from '../get-channel.ts';

export interface ViewerChannels {
  /** The memberships, in the order of the page. */
  page: Page<ChannelUserRecord>;
  /** The channel of each of them. */
  channels: ChannelRecord[];
}

/** The channels that the viewer is a member of and sees, most recently active first. */
export async function listViewerChannels(
  context: Context,
  { request }: { request: PageRequest },
): Promise<ViewerChannels> {
  const viewer = viewerOf(context);
  const channelsOf = (memberships: ChannelUserRecord[]) =>
    Promise.all(memberships.map(({ channelId }) => context.load.channels.load(channelId)));
  const page = await readPage({
    collection: context.store.collections.channelUsers,
    budget: context.reads,
    filter: { networkId: viewer.networkId, userId: viewer.userId, membership: 'member' },
    order: { field: 'lastActivity', direction: -1, type: 'date' },
    request,
    visible: async (memberships) => {
      const channels = await channelsOf(memberships);
      const seen = await Promise.all(
        memberships.map(async (membership, index) => {
          const channel = channels[index];
          return channel && canSeeChannel(viewer, channel, membership) && (await canSeeAttachedMedia(context, channel));
        }),
      );
      return memberships.filter((_, index) => seen[index]);
    },
  });
  return { page, channels: (await channelsOf(page.records)).filter((channel) => channel !== null) };
}
