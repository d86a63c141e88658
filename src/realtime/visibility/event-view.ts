import type { Context, Services, Viewer } from '../../context.ts';
import type { Loaders } from '../../store/loaders.ts';
import type { EventRecord } from '../../store/records/event.ts';
import type { Membership, MembershipScope } from './memberships.ts';

/** The records that an event is about, by the names that its GraphQL type gives them. */
export type Payload = { readonly [name: string]: unknown };

/** What an event shows, read once for all who listen, and who sees it. */
export interface EventView {
  /** Where membership decides; null: nowhere. */
  scope: MembershipScope | null;
  /**
   * Whether somebody sees what the event is about, as they stand now.
   * @param membership theirs in the place
   */
  isVisible(viewer: Viewer, membership: Membership | null): boolean | Promise<boolean>;
  /** Who wrote it: lists leave it out for those who blocked them, unless they moderate there; null: blocks do not matter. */
  authorId: string | null;
  canModerate?(viewer: Viewer, membership: Membership | null): boolean;
  /** The records as whoever asks may see them. */
  payload(context: Context): Payload | Promise<Payload>;
}

/** What a view is made from. */
export interface ViewContext {
  services: Services;
  load: Loaders;
  event: EventRecord;
  /** Whether the event took the record away: it is shown to those who saw it, without what it said. */
  isRemoval: boolean;
}

/** Reads what an event is about; null when it is gone for good, so that there is nothing to tell. */
export type LoadView<Data> = (context: ViewContext, data: Data) => Promise<EventView | null>;
