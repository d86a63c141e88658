import type { Services } from '../../context.ts';
import type { FileRecord } from '../../store/records/media.ts';

/** Download URL of a file. Computed when read, because the public URL of the gateway can change. */
export function fileUrlOf({ publicUrl }: Pick<Services, 'publicUrl'>, { fileId }: Pick<FileRecord, 'fileId'>): string {
  return `${publicUrl}/files/${fileId}`;
}
