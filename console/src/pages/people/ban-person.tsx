import { BanUserDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { endOf, TermsButton } from '../../ui/terms-button.tsx';

interface BanPersonProps {
  person: { userId: string; displayName: string };
  onDone(): void;
}

/** Bans a user from the network. */
export function BanPerson({ person: { userId, displayName }, onDone }: BanPersonProps) {
  return (
    <TermsButton
      label="Ban"
      title={`Ban ${displayName} from the network?`}
      endLabel="End of the ban"
      success={`${displayName} is banned.`}
      isDanger
      act={({ reason, periodMs }) =>
        execute(BanUserDocument, { input: { userId, reason, expiresAt: endOf(periodMs) } })
      }
      onDone={onDone}
    >
      Their sessions end, and they cannot sign in.
    </TermsButton>
  );
}
