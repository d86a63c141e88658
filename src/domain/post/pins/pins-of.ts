import { canSeePinOf } from '../../../access/pin.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { PinRecord } from '../../../store/records/community.ts';
import { placeOfPost } from '../get-post.ts';

export interface PinList {
  target: Pick<PinRecord, 'targetType' | 'targetId'>;
  placement?: string | null | undefined;
  request: PageRequest;
}

/** A page of the pins in one place whose posts the viewer sees, newest pin first. */
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

/** The given pins, without those whose posts the viewer does not see. */
export async function visiblePins(context: Context, pins: readonly PinRecord[]): Promise<PinRecord[]> {
  const viewer = viewerOf(context);
  const posts = await Promise.all(pins.map((pin) => context.load.posts.load(pin.referenceId)));
  const places = await Promise.all(posts.map((post) => (post ? placeOfPost(context, post) : null)));
  return pins.filter((_, index) => {
    const [post, place] = [posts[index], places[index]];
    return post && place && canSeePinOf(viewer, post, place);
  });
}

/** The pins of a post; none if the viewer does not see the post. */
export async function pinsOfPost(context: Context, { postId }: { postId: string }): Promise<PinRecord[]> {
  return visiblePins(context, (await context.load.pinsOfPost.load(postId)) ?? []);
}

/** A pin by its internal id; null if the viewer does not see its post. */
export async function getPin(context: Context, { internalId }: { internalId: string }): Promise<PinRecord | null> {
  viewerOf(context);
  const pin = await context.load.pinsById.load(internalId);
  return pin ? ((await visiblePins(context, [pin]))[0] ?? null) : null;
}
