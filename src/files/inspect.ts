import { Transform } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';

/** Properties of a file that are read from its bytes. Those that the client declares are ignored. */
export interface Inspected {
  size: number;
  mimeType: string;
  /** Without the dot; null when the format is unknown. */
  extension: string | null;
  width: number;
  height: number;
}

/** How much of a file is inspected. The size of an image follows the metadata of its camera, which may be long. */
const HEAD_BYTES = 262_144;

/** Creates a stream that passes bytes through, counts them and keeps the first ones for inspection. */
export function createInspection(): { through: Transform; result(): Promise<Inspected> } {
  const head: Buffer[] = [];
  let kept = 0;
  let size = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (kept < HEAD_BYTES) {
        const part = Buffer.from(chunk.subarray(0, HEAD_BYTES - kept));
        head.push(part);
        kept += part.length;
      }
      done(null, chunk);
    },
  });
  return { through, result: async () => ({ size, ...(await read(Buffer.concat(head))) }) };
}

async function read(head: Buffer): Promise<Omit<Inspected, 'size'>> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const mimeType = found?.mime ?? (isText(head) ? 'text/plain' : 'application/octet-stream');
  const { width, height } = mimeType.startsWith('image/') ? measure(head) : NO_SIZE;
  return { mimeType, extension: found?.ext ?? null, width, height };
}

const NO_SIZE = { width: 0, height: 0 };

/** An image that cannot be parsed has no size. */
function measure(head: Buffer): { width: number; height: number } {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    // EXIF orientations from 5 on rotate the image by 90°.
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    return NO_SIZE;
  }
}

function isText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
