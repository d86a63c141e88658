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

/** Whether a request is for an upload route, whatever its content type, or uploads files with a GraphQL operation. */
export function isUpload({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  if (method !== 'POST') return false;
  const path = url.replace(/\?.*$/s, '').replace(/\/$/, '').toLowerCase();
  return PATHS.has(path) || (path === '/graphql' && isMultipart(headers));
}

function isMultipart({ 'content-type': contentType = '' }: IncomingMessage['headers']): boolean {
  return /^multipart\/form-data\b/i.test(contentType);
}
