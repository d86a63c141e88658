import type { Context, Services, Viewer } from '../../context.ts';
import type { Loaders } from '../../store/loaders.ts';
import type { EventRecord } from '../../store/records/event.ts';
import type { Membership, MembershipScope } from './memberships.ts';

/** The records of an event, by the field names of its GraphQL type. */
export type Payload = { readonly [name: string]: unknown };

/** The visibility rule and the records of one event, loaded once for all subscribers. */
export interface EventView {
  /** The community or channel whose membership `isVisible` needs; null: none. */
  scope: MembershipScope | null;
  /** Whether a viewer may currently see the records. @param membership the viewer's membership in the scope */
  isVisible(viewer: Viewer, membership: Membership | null): boolean | Promise<boolean>;
  /** Viewers who blocked the author do not receive the event, except moderators; null: blocks do not apply. */
  authorId: string | null;
  canModerate?(viewer: Viewer, membership: Membership | null): boolean;
  /** The records as the context's viewer may see them. */
  payload(context: Context): Payload | Promise<Payload>;
}

/** The event of a view, and access to its records. */
export interface ViewContext {
  services: Services;
  load: Loaders;
  event: EventRecord;
  /** Whether the event deleted the record: viewers who could see it receive it without its content. */
  isRemoval: boolean;
}

/** Loads the view of one kind of event; null when the records no longer exist. */
export type LoadView<Data> = (context: ViewContext, data: Data) => Promise<EventView | null>;
