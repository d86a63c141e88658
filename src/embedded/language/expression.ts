import type { Document } from 'bson';
import { notSupported } from './errors.ts';

export type Evaluate = (document: Document, variables?: Readonly<Record<string, unknown>>) => unknown;

export function compileExpression(_expression: unknown): Evaluate {
  throw notSupported('expressions');
}
