import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { FileRecord } from '../../store/records/media.ts';

/** A page of the files that the viewer uploaded, newest first. */
export function listViewerFiles(context: Context, { request }: { request: PageRequest }): Promise<Page<FileRecord>> {
  const { networkId, userId } = viewerOf(context);
  return readPage({
    collection: context.store.collections.files,
    budget: context.reads,
    filter: { networkId, userId, isDeleted: { $ne: true } },
    order: { field: 'createdAt', direction: -1, type: 'date' },
    request,
  });
}
