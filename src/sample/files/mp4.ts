/** Frame size in pixels; {@link SEQUENCE_PARAMETERS} contains the same size in macroblocks (8 × 6). */
export const VIDEO_SIZE = { width: 128, height: 96 };

const MACROBLOCKS = 48;
const SECONDS = 2;
/** H.264 baseline, level 1: sequence and picture parameter sets for {@link VIDEO_SIZE}. */
const SEQUENCE_PARAMETERS = Buffer.from('6742000af841a2', 'hex');
const PICTURE_PARAMETERS = Buffer.from('68ce3880', 'hex');

/** A two-second video of a plain grey frame: a valid MP4 whose only frame is uncompressed H.264. */
export function plainMp4(brightness: number): Buffer {
  const frame = lengthPrefixed(keyFrame(brightness));
  const type = box('ftyp', Buffer.from('isom'), uint32(0x200), Buffer.from('isomiso2avc1mp41'));
  const frameOffset = (at: number): Buffer => box('moov', movieHeader(), track(frame.length, at));
  const movie = frameOffset(type.length + frameOffset(0).length + 8);
  return Buffer.concat([type, movie, box('mdat', frame)]);
}

/** An intra-coded frame whose macroblocks contain uncompressed samples (I_PCM). */
function keyFrame(brightness: number): Buffer {
  const isPcm = '000011010';
  // first macroblock 0, slice type I, picture parameters 0, frame 0, picture id 0, order 0, no marking, quantiser +0
  const sliceHeader = `1${'0001000'}1${'0000'}1${'0000'}${'00'}1`;
  // Samples must not be 0, because zeros could form a start code.
  const samples = Buffer.concat([Buffer.alloc(256, Math.max(1, brightness)), Buffer.alloc(128, 128)]);
  const parts = [Buffer.from([0x65]), packBits(sliceHeader + isPcm), samples];
  for (let index = 1; index < MACROBLOCKS; index++) parts.push(packBits(isPcm), samples);
  return Buffer.concat([...parts, Buffer.from([0x80])]);
}

function packBits(bits: string): Buffer {
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

function movieHeader(): Buffer {
  return fullBox(
    'mvhd',
    uint32(0, 0, 1, SECONDS, 0x10000),
    uint16(0x100, 0),
    uint32(0, 0),
    MATRIX,
    zeros(24),
    uint32(2),
  );
}

function track(frameBytes: number, frameOffset: number): Buffer {
  const { width, height } = VIDEO_SIZE;
  const header = fullBox(
    ['tkhd', 3],
    uint32(0, 0, 1, 0, SECONDS, 0, 0),
    zeros(8),
    MATRIX,
    uint32(width << 16, height << 16),
  );
  const mediaHeader = fullBox('mdhd', uint32(0, 0, 1, SECONDS), uint16(0x55c4, 0));
  const handler = fullBox('hdlr', zeros(4), Buffer.from('vide'), zeros(12), Buffer.from('video\0'));
  const dataReference = box('dinf', fullBox('dref', uint32(1), fullBox(['url ', 1])));
  const information = box('minf', fullBox(['vmhd', 1], zeros(8)), dataReference, sampleTable(frameBytes, frameOffset));
  return box('trak', header, box('mdia', mediaHeader, handler, information));
}

function sampleTable(frameBytes: number, frameOffset: number): Buffer {
  const { width, height } = VIDEO_SIZE;
  const configuration = box(
    'avcC',
    Buffer.from([1]),
    SEQUENCE_PARAMETERS.subarray(1, 4),
    Buffer.from([0xff, 0xe1]),
    uint16(SEQUENCE_PARAMETERS.length),
    SEQUENCE_PARAMETERS,
    Buffer.from([1]),
    uint16(PICTURE_PARAMETERS.length),
    PICTURE_PARAMETERS,
  );
  const resolution = uint32(72 << 16, 72 << 16);
  const picture = [zeros(6), uint16(1), zeros(16), uint16(width, height), resolution, zeros(4), uint16(1), zeros(32)];
  const description = fullBox('stsd', uint32(1), box('avc1', ...picture, uint16(24, 0xffff), configuration));
  return box(
    'stbl',
    description,
    fullBox('stts', uint32(1, 1, SECONDS)),
    fullBox('stsc', uint32(1, 1, 1, 1)),
    fullBox('stsz', uint32(0, 1, frameBytes)),
    fullBox('stco', uint32(1, frameOffset)),
  );
}

function lengthPrefixed(unit: Buffer): Buffer {
  return Buffer.concat([uint32(unit.length), unit]);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** A full box (ISO/IEC 14496-12): starts with version 0 and flags. */
function fullBox(type: string | [type: string, flags: number], ...content: Buffer[]): Buffer {
  const [name, flags] = typeof type === 'string' ? [type, 0] : type;
  return box(name, uint32(flags), ...content);
}

function uint32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}

function uint16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value, index * 2);
  return buffer;
}

function zeros(length: number): Buffer {
  return Buffer.alloc(length);
}

/** The unity transformation. */
const MATRIX = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
