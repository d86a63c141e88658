import type { Context } from '../../../context.ts';
import { type MovedMarkers, markersAfterMove } from './markers-after-move.ts';
import { type MarkerMove, markersLock, moveMarkers } from './move-markers.ts';

/** Moves the viewer's markers in one transaction. @returns all markers that changed with them */
export async function applyMoves(context: Context, moves: MarkerMove[]): Promise<MovedMarkers> {
  const markers = await context.transaction((session) => moveMarkers(context, session, moves), markersLock(context));
  const places = moves.map(({ place }) => place);
  return markersAfterMove(context, places, markers);
}
