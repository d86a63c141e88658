import { Transform } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';

/** What was found in the bytes themselves; what the client said of them is never believed. */
export interface Inspected {
  size: number;
  mimeType: string;
  /** Without the dot; null where the bytes do not tell. */
  extension: string | null;
  width: number;
  height: number;
}

/** How much of a file is looked at: the size of a picture stands behind what its camera had to say. */
const HEAD_BYTES = 262_144;

/** Lets bytes pass, counts them and keeps the first ones. */
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

/** Whatever a hostile picture does to the reader, it is a file without a size. */
function measure(head: Buffer): { width: number; height: number } {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    // Turned by a quarter, as the camera was held.
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
