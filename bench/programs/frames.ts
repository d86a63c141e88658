const TEXT = 1;
const BINARY = 2;
const PING = 9;

/**
 * Splits the bytes of a WebSocket into frames, which servers send unfragmented and unmasked.
 * @param onPing called for each ping; the server disconnects clients that send no pong
 */
export function messagesOf(take: (message: Buffer) => void, onPing: () => void): (chunk: Buffer) => void {
  let rest: Buffer | null = null;
  return (chunk) => {
    let data = rest ? Buffer.concat([rest, chunk]) : chunk;
    rest = null;
    while (data.length > 0) {
      const end = endOf(data);
      if (end === null || end > data.length) {
        rest = data;
        return;
      }
      const kind = data[0]! & 0x0f;
      if (kind === TEXT || kind === BINARY) take(data.subarray(startOf(data), end));
      if (kind === PING) onPing();
      data = data.subarray(end);
    }
  };
}

const startOf = (frame: Buffer): number => (frame[1]! < 126 ? 2 : 4);

/** End of the first frame; null while its head is incomplete. */
function endOf(data: Buffer): number | null {
  if (data.length < 4) return data.length >= 2 && data[1]! < 126 ? 2 + data[1]! : null;
  const length = data[1]!;
  if (length === 127) throw new Error('A frame is too long for this reader.');
  return length < 126 ? 2 + length : 4 + data.readUInt16BE(2);
}
