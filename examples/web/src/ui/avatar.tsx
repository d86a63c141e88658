/** The initials of a user on a colour of their own. The name stands beside it, so screen readers skip it. */
export function Avatar({ user }: { user: { userId: string; displayName: string } | null }) {
  const name = user?.displayName || user?.userId || '?';
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0])
    .join('');
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return (
    <span className="avatar" aria-hidden="true" style={{ backgroundColor: `hsl(${hue} 45% 32%)` }}>
      {initials}
    </span>
  );
}
