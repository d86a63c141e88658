import { Link, pathOf } from '../router.tsx';

export interface PersonProps {
  person: { userId: string; displayName: string } | null;
}

/** A user with the initials of their name, as a link to their page. */
export function Person({ person }: PersonProps) {
  if (!person) return <span className="muted">Unknown</span>;
  const initials = person.displayName
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase();
  return (
    <Link className="person" href={pathOf('people', person.userId)}>
      <span className="avatar" aria-hidden="true">
        {initials}
      </span>
      {person.displayName}
    </Link>
  );
}
