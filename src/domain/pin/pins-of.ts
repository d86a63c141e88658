import { canSeePinOf } from '../../access/pin.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { PinRecord } from '../../store/records/community.ts';
import { placeOfPost } from '../post/get-post.ts';

export interface PinList {
  target: Pick<PinRecord, 'targetType' | 'targetId'>;
  placement?: string | null | undefined;
  request: PageRequest;
}

/** What is pinned in one place, newest pin first, as far as the viewer sees the posts. */
export function pinsOf(context: Context, { target, placement, request }: PinList): Promise<Page<PinRecord>> {
  const { networkId } = viewerOf(context);
  return readPage<PinRecord>({
    collection: context.store.collections.pins,
    budget: context.reads,
    filter: { networkId, ...target, ...(placement != null && { placement }) },
    order: { field: 'pinnedAt', direction: -1, type: 'date' },
    request,
    visible: (pins) => visiblePins(context, pins),
  });
}

/** Those pins whose posts the viewer sees. */
export async function visiblePins(context: Context, pins: readonly PinRecord[]): Promise<PinRecord[]> {
  const viewer = viewerOf(context);
  const posts = await Promise.all(pins.map((pin) => context.load.posts.load(pin.referenceId)));
  const places = await Promise.all(posts.map((post) => (post ? placeOfPost(context, post) : null)));
  return pins.filter((_, index) =>
    canSeePinOf(viewer, posts[index]!, places[index] ?? { community: null, membership: null }),
  );
}

/** Where a post is pinned, as far as the viewer sees it. */
export async function pinsOfPost(context: Context, { postId }: { postId: string }): Promise<PinRecord[]> {
  return visiblePins(context, (await context.load.pinsOfPost.load(postId)) ?? []);
}

/** One pin by its internal id, when the viewer sees its post. */
export async function getPin(context: Context, { internalId }: { internalId: string }): Promise<PinRecord | null> {
  viewerOf(context);
  const pin = await context.load.pinsById.load(internalId);
  return pin ? ((await visiblePins(context, [pin]))[0] ?? null) : null;
}
