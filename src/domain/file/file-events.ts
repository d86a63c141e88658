import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { FileRecord } from '../../store/records/media.ts';

/** An event about a file. */
export function fileEvent(
  type: NameOf<'file'>,
  { networkId, fileId }: Pick<FileRecord, 'networkId' | 'fileId'>,
): NewEvent {
  return { type, path: `${networkId}/file/${fileId}`, data: { fileId } };
}
