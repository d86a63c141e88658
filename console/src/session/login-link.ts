import { ConsumeLoginLinkDocument } from '../../generated/operations.ts';
import { messageOf } from '../api/api-error.ts';
import { execute } from '../api/execute.ts';
import { endSession, startSession } from './session-store.ts';

const PATH = '/admin/login';

/**
 * Signs in with the link that the page was opened with, if any. The token is removed from the address first, so that neither
 * the history of the browser nor a screenshot contains it. A session of this tab ends.
 */
export async function signInByLink(): Promise<void> {
  const token = location.hash.slice(1);
  if (location.pathname !== PATH || token === '') return;
  history.replaceState(null, '', '/admin');
  endSession();
  try {
    const { consumeLoginLink } = await execute(ConsumeLoginLinkDocument, { input: { token } });
    if (consumeLoginLink.__typename !== 'ConsumeLoginLinkPayload') return;
    const { accessToken, refreshToken, expiresAt, user } = consumeLoginLink.session;
    startSession({ accessToken, refreshToken, expiresAt, userId: user.userId });
  } catch (error) {
    endSession(messageOf(error));
  }
}
