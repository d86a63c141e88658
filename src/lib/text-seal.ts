import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts short texts that a client returns, such as positions in a list. */
export interface TextSeal {
  /** @param purpose bound to the text: it is opened with the same purpose only */
  seal(text: string, purpose: string): string;
  /** @returns null for a text that this deployment did not seal for this purpose */
  open(sealed: string, purpose: string): string | null;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals with AES-256-GCM, a random nonce for each text, and a key that derives from the secret. A sealed text is
 * base64url, 38 to 40 characters longer than the base64url of the text.
 *
 * @param secret seals and opens
 * @param accepted further secrets, which only open
 */
export function createTextSeal(secret: string, accepted: ReadonlyArray<{ secret: string }> = []): TextSeal {
  const key = keyOf(secret);
  const keys = [key, ...accepted.map((one) => keyOf(one.secret))];
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(purpose, 'utf8'));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      for (const key of keys) {
        const text = decrypt(bytes, purpose, key);
        if (text !== null) return text;
      }
      return null;
    },
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'colloquy sealed text', 32));
}

function decrypt(bytes: Buffer, purpose: string, key: Buffer): string | null {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose, 'utf8'));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
