import type { IncomingMessage } from 'node:http';
import type { UploadKind } from '../domain/file/create-files.ts';

/** The upload routes and the kind of file that each accepts: `docs/interface.md#upload-files`. */
export const UPLOAD_PATHS: ReadonlyArray<[path: string, kind: UploadKind]> = [
  ['/api/v4/files', 'file'],
  ['/api/v4/images', 'image'],
  ['/api/v4/videos', 'video'],
  ['/api/v4/audios', 'audio'],
  ['/api/v4/clips', 'clip'],
];

const PATHS: ReadonlySet<string> = new Set(UPLOAD_PATHS.map(([path]) => path));

/** Whether a request is for an upload route, whatever its content type. */
export function isUpload({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && PATHS.has(url.replace(/\?.*$/s, '').replace(/\/$/, '').toLowerCase());
}
