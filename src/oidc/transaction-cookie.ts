import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { PendingSignIn } from './provider.ts';

/** Seconds in which a user signs in at the provider. */
export const TRANSACTION_SECONDS = 600;

/** A sign-in that has begun. It is kept in a cookie of the browser, encrypted, and nowhere else. */
export interface SignInTransaction extends PendingSignIn {
  /** Address to which the browser returns. */
  returnTo: string;
  /** How the client receives its tokens. */
  delivery: 'cookie' | 'code';
}

export interface TransactionCodec {
  encrypt(transaction: SignInTransaction): Promise<string>;
  /** @returns null for a text that this deployment did not encrypt, or that has expired */
  decrypt(text: string): Promise<SignInTransaction | null>;
}

const AUDIENCE = 'oidc-transaction';

/** @param secret from which the key derives, the same in all gateways */
export function createTransactionCodec(secret: string): TransactionCodec {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'colloquy oidc transaction', 32));
  return {
    encrypt: (transaction) =>
      new EncryptJWT({ ...transaction })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(AUDIENCE)
        .setExpirationTime(`${TRANSACTION_SECONDS}s`)
        .encrypt(key),
    async decrypt(text) {
      const options = {
        audience: AUDIENCE,
        requiredClaims: ['exp'],
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      };
      const decrypted = await jwtDecrypt<SignInTransaction>(text, key, options).catch(() => null);
      return decrypted?.payload ?? null;
    },
  };
}
