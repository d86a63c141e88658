import { SignOutDocument } from '../../generated/operations.ts';
import { messageOf } from '../api/api-error.ts';
import { execute } from '../api/execute.ts';
import { endSession } from './session-store.ts';

/** Revokes the session on the server and forgets its token, even if the server does not answer. */
export async function signOut(): Promise<void> {
  try {
    await execute(SignOutDocument, {});
    endSession('You are signed out.');
  } catch (error) {
    endSession(`The token is removed from this browser, but the session may still be valid: ${messageOf(error)}`);
  }
}
