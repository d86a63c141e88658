import { crc32, deflateSync } from 'node:zlib';

export interface Picture {
  width: number;
  height: number;
  /** Background and disc, as `rrggbb`. */
  colours: [string, string];
}

/** A disc on a plain background: a valid PNG with two palette colours, one bit per pixel. */
export function discPng({ width, height, colours }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth 1, colour type 3 (palette); compression, filter and interlace stay 0.
  header.set([1, 3], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.join(''), 'hex')),
    // Stored without compression, so that the size does not depend on the zlib version.
    chunk('IDAT', deflateSync(pixels(width, height), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Rows of packed bits, each preceded by a filter byte of 0. */
function pixels(width: number, height: number): Buffer {
  const stride = 1 + Math.ceil(width / 8);
  const rows = Buffer.alloc(stride * height);
  const radius = Math.min(width, height) * 0.35;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) > radius) continue;
      const at = y * stride + 1 + (x >> 3);
      rows[at] = rows[at]! | (0x80 >> (x & 7));
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
