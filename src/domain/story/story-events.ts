import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { StoryRecord } from '../../store/records/content.ts';

/** An event about a story. */
export function storyEvent(type: NameOf<'story'>, { path, storyId }: Pick<StoryRecord, 'path' | 'storyId'>): NewEvent {
  return { type, path, data: { storyId } };
}
