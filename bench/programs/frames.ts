/** Takes what comes of a websocket apart into the texts of its frames, which a server sends whole and without a mask. */
export function textsOf(take: (text: Buffer) => void): (chunk: Buffer) => void {
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
      const isText = (data[0]! & 0x0f) === 1;
      if (isText) take(data.subarray(startOf(data), end));
      data = data.subarray(end);
    }
  };
}

const startOf = (frame: Buffer): number => (frame[1]! < 126 ? 2 : 4);

/** Where the first frame ends; null while its head is not whole. */
function endOf(data: Buffer): number | null {
  if (data.length < 4) return data.length >= 2 && data[1]! < 126 ? 2 + data[1]! : null;
  const length = data[1]!;
  if (length === 127) throw new Error('A frame is too long for this reader.');
  return length < 126 ? 2 + length : 4 + data.readUInt16BE(2);
}
