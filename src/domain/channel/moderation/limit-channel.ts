import type { z } from 'zod';
import { mayInChannel } from '../../../access/channel.ts';
import type { ChannelPlace } from '../../../access/message.ts';
import type { Permission } from '../../../access/permissions.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { ChannelRecord } from '../../../store/records/chat.ts';
import { integer, validate } from '../../input.ts';
import { changeChannel } from '../change-channel.ts';
import { channelIdInput, MAX_PERIOD_MS } from '../channel-input.ts';
import { findChannel } from '../get-channel.ts';
import { refusal } from './refusal.ts';

export const mutePeriod = () =>
  integer({ min: -1, max: MAX_PERIOD_MS }).describe('Duration in milliseconds; −1 for no end, 0 to unmute.');

export const muteChannelInput = channelIdInput.extend({ mutePeriod: mutePeriod() });

/** The fields of a mute for a period in milliseconds: −1 without end, 0 none. */
export function muteOf(period: number, now: Date): { isMuted: boolean; muteTimeout: Date | null } {
  return { isMuted: period !== 0, muteTimeout: period > 0 ? new Date(now.getTime() + period) : null };
}

/**
 * Mutes a channel for everybody except its moderators, or ends the mute.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without MUTE_CHANNEL, BANNED, INVALID_PARAMETERS
 */
export async function muteChannel(context: Context, input: z.input<typeof muteChannelInput>): Promise<ChannelRecord> {
  const { channelId, mutePeriod: period } = validate(muteChannelInput, input);
  const { place, may } = await channelToLimit(context, channelId, 'MUTE_CHANNEL');
  return changeChannel(context, place, muteOf(period, context.now()), { type: 'channel.setMuted', may });
}

export const setChannelRateLimitInput = channelIdInput.extend({
  rateLimit: integer({ min: 0, max: 10_000 }).describe(
    'Messages that a member can send in one window; 0 removes the limit.',
  ),
  rateLimitWindow: integer({ min: 1, max: MAX_PERIOD_MS })
    .nullish()
    .describe('Length of the window in milliseconds. Default: 60,000.'),
  period: integer({ min: -1, max: MAX_PERIOD_MS })
    .nullish()
    .describe('Duration of the limit in milliseconds; −1 or null for no end.'),
});

const MINUTE_MS = 60_000;

/**
 * Limits the messages a member may send per window; a limit of 0 ends it. Users who may set the limit are exempt.
 *
 * @param input.period duration of the limit in milliseconds; −1 or absent: without end
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without EDIT_CHANNEL_RATELIMIT, BANNED, INVALID_PARAMETERS
 */
export async function setChannelRateLimit(
  context: Context,
  input: z.input<typeof setChannelRateLimitInput>,
): Promise<ChannelRecord> {
  const { channelId, rateLimit, rateLimitWindow, period } = validate(setChannelRateLimitInput, input);
  const { place, may } = await channelToLimit(context, channelId, 'EDIT_CHANNEL_RATELIMIT');
  const isRateLimited = rateLimit > 0 && period !== 0;
  const endsIn = isRateLimited && period != null && period > 0 ? period : null;
  const limit = {
    isRateLimited,
    rateLimit: isRateLimited ? rateLimit : 0,
    rateLimitWindow: isRateLimited ? (rateLimitWindow ?? MINUTE_MS) : 0,
    rateLimitTimeout: endsIn === null ? null : new Date(context.now().getTime() + endsIn),
  };
  return changeChannel(context, place, limit, { type: 'channel.updated', may });
}

async function channelToLimit(context: Context, channelId: string, permission: Permission) {
  const place = await findChannel(context, channelId);
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  const may = (viewer: Viewer, membership: ChannelPlace['membership']) => mayInChannel(viewer, membership, permission);
  if (!may(viewerOf(context), place.membership)) throw refusal(place.membership);
  return { place, may };
}
