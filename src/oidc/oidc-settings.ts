import { type Config, ConfigError } from '../config.ts';

/** The settings `OIDC_…`, of which an issuer and a client id exist. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  scopes: string;
  /** Null derives the ids of users from the issuer and `sub`. */
  userIdClaim: string | null;
  linksUsers: boolean;
  updatesProfiles: boolean;
}

/**
 * @returns null without OIDC_ISSUER
 * @throws {ConfigError} without a client id
 */
export function oidcSettings(config: Config): OidcSettings | null {
  if (config.OIDC_ISSUER === undefined) return null;
  if (config.OIDC_CLIENT_ID === undefined) {
    throw new ConfigError('OIDC_CLIENT_ID: set it to the client id that the provider of OIDC_ISSUER assigned.');
  }
  return {
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET ?? null,
    scopes: config.OIDC_SCOPES,
    userIdClaim: config.OIDC_USER_ID_CLAIM ?? null,
    linksUsers: config.OIDC_LINK_USERS,
    updatesProfiles: config.OIDC_UPDATE_PROFILES,
  };
}
