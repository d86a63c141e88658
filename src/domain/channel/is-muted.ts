/** Whether a mute of a channel or member holds now: it may have run out. */
export function isMutedNow(muted: { isMuted: boolean; muteTimeout: Date | null }, now: Date): boolean {
  return muted.isMuted && (muted.muteTimeout === null || muted.muteTimeout > now);
}
