import { refusalToWrite } from '../access/visitor.ts';
import type { Viewer } from '../context.ts';
import { OperationError } from '../errors.ts';

/** @throws {OperationError} VISITOR_DENIED, BOT_DENIED for a viewer whose session is read-only */
export function requireWriter(viewer: Viewer | null): void {
  const refusal = refusalToWrite(viewer);
  if (refusal) throw new OperationError(refusal);
}
