/** Terms of a ban, stored on the banned user or membership; absent on bans of older releases. */
export interface BanTerms {
  /** For moderators. */
  reason: string | null;
  /** When the ban ends by itself; null: never. */
  expiresAt: Date | null;
  /** Public id of the user who banned. */
  bannedBy: string | null;
  bannedAt: Date;
}
