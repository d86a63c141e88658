import type { Services } from '../../context.ts';
import type { FileRecord } from '../../store/records/media.ts';

/** Where the bytes of a file are fetched. Derived when read: the public address of the gateway may change. */
export function fileUrlOf({ publicUrl }: Pick<Services, 'publicUrl'>, { fileId }: Pick<FileRecord, 'fileId'>): string {
  return `${publicUrl}/files/${fileId}`;
}
