import type { UploadKind } from '../domain/file/create-files.ts';

/** Where files are uploaded, and what each place takes (legacy-facts §7). */
export const UPLOAD_DOORS: ReadonlyArray<[path: string, kind: UploadKind]> = [
  ['/api/v4/files', 'file'],
  ['/api/v4/images', 'image'],
  ['/api/v4/videos', 'video'],
  ['/api/v4/audios', 'audio'],
];

/** The most files of one upload. */
export const MAX_FILES = 10;
