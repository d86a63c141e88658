import { createContext, useContext } from 'react';
import type { Access } from './access.ts';

export const AccessContext = createContext<Access | null>(null);

/** The rights of the signed-in user. */
export function useAccess(): Access {
  const access = useContext(AccessContext);
  if (!access) throw new Error('useAccess needs a signed-in user.');
  return access;
}
