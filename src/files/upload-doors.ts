import type { IncomingMessage } from 'node:http';
import type { UploadKind } from '../domain/file/create-files.ts';

/** Where files are uploaded, and what each place takes (legacy-facts §7). */
export const UPLOAD_DOORS: ReadonlyArray<[path: string, kind: UploadKind]> = [
  ['/api/v4/files', 'file'],
  ['/api/v4/images', 'image'],
  ['/api/v4/videos', 'video'],
  ['/api/v4/audios', 'audio'],
];

const PATHS: ReadonlySet<string> = new Set(UPLOAD_DOORS.map(([path]) => path));

/** Whether a request goes to an upload route, whatever its content type says. */
export function isUpload({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && PATHS.has(url.replace(/\?.*$/s, '').replace(/\/$/, ''));
}

/** The most files of one upload. */
export const MAX_FILES = 10;
