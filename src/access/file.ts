import type { Viewer } from '../context.ts';
import type { FileRecord } from '../store/records/media.ts';
import { mayInNetwork } from './network.ts';

/** Files are changed and deleted by their uploader and by users who edit users. */
export function canChangeFile(viewer: Viewer, file: FileRecord): boolean {
  return file.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER');
}
