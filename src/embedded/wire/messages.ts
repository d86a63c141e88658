import { BSON, type Document } from 'bson';
import { CommandError, checkBody, checkDocument, DECODE, documentOf, type Pause } from '../lib/index.ts';
import { crc32c } from './crc32c.ts';

export const MAX_MESSAGE_SIZE = 48_000_000;
export const MAX_DOCUMENT_SIZE = 16 * 1024 * 1024;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const EXHAUST_ALLOWED = 0x10000;
/** Flag bits that this server does not know. OP_MSG requires bits 0 to 15 to be understood; others may be ignored. */
const UNKNOWN_REQUIRED = 0xfffc;

/** One decoded request. */
export interface Message {
  requestId: number;
  isLegacyQuery: boolean;
  /** The request has a checksum, so its reply must have one too. */
  hasChecksum: boolean;
  body: Document;
  /** Undecoded documents by name: those of the command's documents or statements array, and its document sequences. */
  sequences: Map<string, Buffer[]>;
  /** The sender expects no reply. */
  isFireAndForget: boolean;
  /** The sender accepts several replies to this one request. */
  isExhaustAllowed: boolean;
}

/** Thrown for a message that violates the protocol; its connection is closed. */
export class ProtocolError extends Error {}

/** Larger frames are assembled while they arrive, because one copy of many megabytes would block the event loop. */
const LARGE_FRAME = 1024 * 1024;

/** Splits a byte stream into frames. @throws ProtocolError for a frame with an impossible size */
export function createFramer(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let length = 0;
  /** The large frame that is arriving, and the number of bytes received. */
  let large: { frame: Buffer; filled: number } | undefined;
  return function feed(chunk) {
    if (large) {
      const used = chunk.copy(large.frame, large.filled);
      large.filled += used;
      if (large.filled < large.frame.length) return;
      const { frame } = large;
      large = undefined;
      onFrame(frame);
      if (used < chunk.length) feed(chunk.subarray(used));
      return;
    }
    chunks.push(chunk);
    length += chunk.length;
    while (length >= 4) {
      const size = sizeOfNext(chunks);
      if (size < HEADER || size > MAX_MESSAGE_SIZE) throw new ProtocolError(`a message of ${size} bytes`);
      if (length < size) {
        if (size <= LARGE_FRAME) return;
        // The system allocates its pages only as they are filled.
        large = { frame: Buffer.allocUnsafeSlow(size), filled: 0 };
        for (const part of chunks) large.filled += part.copy(large.frame, large.filled);
        [chunks, length] = [[], 0];
        return;
      }
      const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
      const rest = all.subarray(size);
      chunks = rest.length > 0 ? [rest] : [];
      length = rest.length;
      onFrame(all.subarray(0, size));
    }
  };
}

function sizeOfNext(chunks: Buffer[]): number {
  if (chunks[0]!.length < 4) chunks.splice(0, chunks.length, Buffer.concat(chunks));
  return chunks[0]!.readInt32LE(0);
}

/**
 * Parses a frame: OP_MSG, or OP_QUERY, which drivers still use for the first handshake. Can pause between elements.
 *
 * @throws ProtocolError for a malformed frame, CommandError for a malformed or too deeply nested document
 */
export function* parseMessage(frame: Buffer, maxElements?: number): Generator<Pause, Message> {
  const requestId = frame.readInt32LE(4);
  const opCode = frame.readInt32LE(12);
  try {
    if (opCode === OP_MSG) return yield* parseOpMsg(frame, requestId, maxElements);
    if (opCode === OP_QUERY) return yield* parseOpQuery(frame, requestId);
  } catch (error) {
    if (error instanceof CommandError || error instanceof ProtocolError) throw error;
    throw new ProtocolError(error instanceof Error ? error.message : String(error));
  }
  throw new ProtocolError(`operation code ${opCode}`);
}

function* parseOpMsg(frame: Buffer, requestId: number, maxElements?: number): Generator<Pause, Message> {
  const flags = frame.readUInt32LE(HEADER);
  if (flags & UNKNOWN_REQUIRED) throw new ProtocolError(`unknown message flags ${flags}`);
  const hasChecksum = (flags & CHECKSUM_PRESENT) !== 0;
  const end = hasChecksum ? frame.length - 4 : frame.length;
  if (hasChecksum && frame.readUInt32LE(end) !== (yield* crc32c(frame.subarray(0, end)))) {
    throw new ProtocolError('a message whose checksum does not match its content');
  }
  const sequences = new Map<string, Buffer[]>();
  let body: Document | undefined;
  let at = HEADER + 4;
  while (at < end) {
    const kind = frame[at++];
    if (kind === 0) {
      if (body) throw new ProtocolError('a message with two bodies');
      const checked = yield* checkBody(frame, at, end, { nameOf: (command) => UNDECODED_ARRAYS[command], maxElements });
      body = decodeCommand(checked.bytes);
      if (checked.documents) setSequence(sequences, UNDECODED_ARRAYS[Object.keys(body)[0]!]!, checked.documents);
      at = checked.end;
    } else if (kind === 1) {
      at = yield* readSequence(frame, at, end, { sequences, maxElements });
    } else {
      throw new ProtocolError(`section kind ${kind}`);
    }
  }
  if (!body) throw new ProtocolError('a message without a body');
  return {
    requestId,
    isLegacyQuery: false,
    hasChecksum,
    body,
    sequences,
    isFireAndForget: (flags & MORE_TO_COME) !== 0,
    isExhaustAllowed: (flags & EXHAUST_ALLOWED) !== 0,
  };
}

function* readSequence(
  frame: Buffer,
  at: number,
  end: number,
  { sequences, maxElements }: { sequences: Map<string, Buffer[]>; maxElements: number | undefined },
): Generator<Pause, number> {
  const sectionEnd = at + frame.readInt32LE(at);
  const nameEnd = frame.indexOf(0, at + 4);
  if (sectionEnd > end || nameEnd < 0 || nameEnd >= sectionEnd) throw new ProtocolError('a sequence that does not end');
  const name = frame.toString('utf8', at + 4, nameEnd);
  const documents: Buffer[] = [];
  let next = nameEnd + 1;
  while (next < sectionEnd) {
    const start = next;
    next = yield* checkDocument(frame, start, sectionEnd, maxElements);
    if (documents.length % DOCUMENTS_BETWEEN_PAUSES === DOCUMENTS_BETWEEN_PAUSES - 1) yield undefined;
    documents.push(frame.subarray(start, next));
  }
  setSequence(sequences, name, documents);
  return sectionEnd;
}

function* parseOpQuery(frame: Buffer, requestId: number): Generator<Pause, Message> {
  const nameEnd = frame.indexOf(0, HEADER + 4);
  const name = frame.toString('utf8', HEADER + 4, nameEnd);
  const start = nameEnd + 1 + 8;
  const body = decodeCommand(frame.subarray(start, yield* checkDocument(frame, start)));
  return {
    requestId,
    isLegacyQuery: true,
    hasChecksum: false,
    body: { ...body, $db: name.slice(0, name.indexOf('.')) },
    sequences: new Map(),
    isFireAndForget: false,
    isExhaustAllowed: false,
  };
}

/** The arrays whose documents are extracted undecoded, by command. */
const UNDECODED_ARRAYS: Readonly<Record<string, string>> = {
  insert: 'documents',
  update: 'updates',
  delete: 'deletes',
  bulkWrite: 'ops',
};
const DOCUMENTS_BETWEEN_PAUSES = 512;

function setSequence(sequences: Map<string, Buffer[]>, name: string, documents: Buffer[]): void {
  if (sequences.has(name)) throw new ProtocolError(`'${name}' twice in one message`);
  sequences.set(name, documents);
}

/** MongoDB allows a command 16 KiB more than the largest document. */
const MAX_COMMAND_SIZE = MAX_DOCUMENT_SIZE + 16 * 1024;

/** Decodes a command or one of its statements. @throws CommandError 10334 or 22 */
export function decodeCommand(bytes: Uint8Array): Document {
  if (bytes.length > MAX_COMMAND_SIZE) throw tooLarge(bytes.length);
  return decodeSent(bytes);
}

const tooLarge = (size: number): CommandError =>
  new CommandError(10334, `BSONObj size: ${size} is invalid. Size must be between 0 and ${MAX_COMMAND_SIZE}`);

/** Decodes a document from a client. @throws CommandError 22 for text that is not UTF-8 */
export function decodeSent(bytes: Uint8Array, options: BSON.DeserializeOptions = DECODE): Document {
  try {
    return BSON.deserialize(bytes, options);
  } catch (error) {
    throw new CommandError(22, `invalid BSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the fields of an unreadable frame that a reply needs. */
export const addressOf = (frame: Buffer): Addressed => ({
  requestId: frame.readInt32LE(4),
  isLegacyQuery: frame.readInt32LE(12) === OP_QUERY,
});

const NO_ELEMENTS = Buffer.alloc(0);

/** The request to which a reply belongs, and the format that it requires. */
type Addressed = Pick<Message, 'requestId' | 'isLegacyQuery'> & Partial<Pick<Message, 'hasChecksum'>>;

interface ReplyOptions {
  requestId?: number;
  times?: Buffer;
  hasMore?: boolean;
}

/**
 * Encodes the reply to `request`, in the format of the request. Can pause if the reply is long.
 *
 * @param options.requestId the id of the reply, to which the next reply of an exhaust stream refers. @default 0
 * @param options.times the encoded last elements of the document: see cluster-time.ts
 * @param options.hasMore announces another reply to the same request
 * @throws CommandError 10334 when the reply exceeds the maximum size
 */
export function* encodeReply(
  request: Addressed,
  reply: Document | Uint8Array,
  { requestId = 0, times = NO_ELEMENTS, hasMore = false }: ReplyOptions = {},
): Generator<Pause, Buffer> {
  const body = reply instanceof Uint8Array ? reply : yield* encodeBody(reply);
  const head = request.isLegacyQuery ? HEADER + 20 : HEADER + 5;
  const size = body.length + times.length;
  const frame = Buffer.allocUnsafe(head + size + (request.hasChecksum ? 4 : 0));
  frame.fill(0, HEADER, head);
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(requestId, 4);
  frame.writeInt32LE(request.requestId, 8);
  frame.writeInt32LE(request.isLegacyQuery ? OP_REPLY : OP_MSG, 12);
  if (request.isLegacyQuery) {
    frame.writeInt32LE(8, HEADER); // AwaitCapable
    frame.writeInt32LE(1, HEADER + 16); // one document
  }
  if (!request.isLegacyQuery) {
    frame.writeUInt32LE((hasMore ? MORE_TO_COME : 0) | (request.hasChecksum ? CHECKSUM_PRESENT : 0), HEADER);
  }
  frame.set(body, head);
  frame.set(times, head + body.length - 1);
  frame.writeInt32LE(size, head);
  frame[head + size - 1] = 0;
  if (request.hasChecksum) frame.writeUInt32LE(yield* crc32c(frame.subarray(0, head + size)), head + size);
  return frame;
}

/** Items of a long array in a reply that are encoded between two pauses; an item may be a whole document. */
const ITEMS_BETWEEN_PAUSES = 64;

/** Encodes long arrays in pieces: the values of a `distinct`, the errors of a bulk write. */
function* encodeBody(reply: Document): Generator<Pause, Uint8Array> {
  const elements: Uint8Array[] = [];
  let size = 0;
  const add = (element: Uint8Array): void => {
    elements.push(element);
    size += element.length;
    if (size > MAX_COMMAND_SIZE) throw tooLarge(size);
  };
  const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > ITEMS_BETWEEN_PAUSES;
  if (!Object.values(reply).some(isLong)) return encodeDocument(reply);
  for (const [name, value] of Object.entries(reply)) {
    if (!isLong(value)) {
      add(elementsOfDocument({ [name]: value }));
      continue;
    }
    const items: Uint8Array[] = [];
    for (let first = 0; first < value.length; first += ITEMS_BETWEEN_PAUSES) {
      const piece = value.slice(first, first + ITEMS_BETWEEN_PAUSES).map((item, i) => [first + i, item ?? null]);
      items.push(elementsOfDocument(Object.fromEntries(piece)));
      yield undefined;
    }
    add(Buffer.concat([Buffer.from(`\x04${name}\0`), documentOf(items)]));
  }
  return documentOf(elements);
}

const elementsOfDocument = (document: Document): Uint8Array => encodeDocument(document).subarray(4, -1);

function encodeDocument(document: Document): Uint8Array {
  try {
    return BSON.serialize(document, { ignoreUndefined: true });
  } catch (error) {
    // The serializer's buffer is slightly larger than the largest document.
    throw error instanceof RangeError ? tooLarge(MAX_COMMAND_SIZE) : error;
  }
}
