import type { PersonRowFragment } from '../../../generated/operations.ts';
import { Badge } from '../../ui/badge.tsx';

export function PersonBadges({ person }: { person: PersonRowFragment }) {
  return (
    <>
      {person.isDeleted && <Badge>Deleted</Badge>}
      {person.isGlobalBan && <Badge tone="bad">Banned</Badge>}
      {person.flagCount > 0 && <Badge tone="warning">Flags: {person.flagCount}</Badge>}
      {person.isBrand && <Badge tone="info">Brand</Badge>}
      {person.roles.map((role) => (
        <Badge key={role} tone="good">
          {role}
        </Badge>
      ))}
    </>
  );
}
