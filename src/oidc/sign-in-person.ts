import { type Context, createContext, type SessionTokens } from '../context.ts';
import { viewerOfSession } from '../domain/session/authenticate.ts';
import { issueToken } from '../domain/session/insert-session.ts';
import { loginCodeOf, newLoginCode } from '../domain/session/login-code.ts';
import { signInWithIdentity } from '../domain/session/sign-in-with-identity.ts';
import { updateUser } from '../domain/user/update-user.ts';
import type { SessionRecord, UserRecord } from '../store/records/user.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { type ClaimedProfile, profileOf } from './profile-of.ts';
import type { ProvenPerson } from './provider.ts';

/** The tokens of a session, or a code that a client exchanges for them. */
export interface SignedIn {
  tokens: SessionTokens | null;
  code: string | null;
}

interface PersonToSignIn {
  person: ProvenPerson;
  settings: OidcSettings;
  delivery: 'cookie' | 'code';
}

/**
 * Signs in the user of a person whom the provider has identified, and updates their name and avatar.
 * @throws {OperationError} as `signInWithIdentity`; FORBIDDEN for claims without a usable id
 */
export async function signInPerson(
  context: Context,
  { person, settings, delivery }: PersonToSignIn,
): Promise<SignedIn> {
  const profile = profileOf(person, settings.userIdClaim);
  const loginCode = delivery === 'code' ? newLoginCode() : null;
  const { user, session } = await signInWithIdentity(context, {
    networkId: context.config.NETWORK_ID,
    identity: { issuer: person.issuer, subject: person.claims.sub },
    userId: profile.userId,
    displayName: profile.displayName,
    linksUsers: settings.linksUsers,
    codeHash: loginCode?.hash ?? null,
  });
  if (settings.updatesProfiles) await updateProfile(context, { user, session, profile });
  if (loginCode) return { tokens: null, code: loginCodeOf(session, loginCode.secret) };
  const { accessToken, refreshToken } = await issueToken(context, session, user);
  return { tokens: { accessToken, refreshToken, sessionExpiresAt: session.expiresAt }, code: null };
}

/** The user is signed in even if their profile cannot be updated. */
async function updateProfile(
  context: Context,
  { user, session, profile }: { user: UserRecord; session: SessionRecord; profile: ClaimedProfile },
): Promise<void> {
  const { displayName, avatarUrl } = profile;
  const changes = {
    ...(displayName !== null && displayName !== user.displayName && { displayName }),
    ...(avatarUrl !== null && avatarUrl !== user.avatarCustomUrl && { avatarCustomUrl: avatarUrl }),
  };
  if (Object.keys(changes).length === 0) return;
  try {
    const viewer = await viewerOfSession(context, session.networkId, session.sessionId);
    const own = createContext(context, viewer, undefined, context.deadline, undefined, null, context.origin);
    if (viewer) await updateUser(own, changes);
  } catch (err) {
    context.warn?.({ err, userId: user.userId }, 'the profile of a user could not be updated after a sign-in');
  }
}
