import { Time } from './time.tsx';

interface TermsProps {
  terms: { reason: string | null; expiresAt: string | null } | null | undefined;
}

/** The reason and the end of a ban or mute, for users who may see them. */
export function Terms({ terms }: TermsProps) {
  if (!terms) return null;
  return (
    <div className="muted">
      {terms.reason && <span className="clip">{terms.reason}</span>}{' '}
      {terms.expiresAt ? (
        <>
          ends <Time value={terms.expiresAt} />
        </>
      ) : (
        'without an end'
      )}
    </div>
  );
}
