/** FNV-1a of the UTF-16 code units of a text: 32 bits, not for untrusted keys whose collisions matter. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
