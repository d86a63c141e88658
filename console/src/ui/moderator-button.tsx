import { ConfirmButton } from './confirm-button.tsx';

interface ModeratorButtonProps {
  /** Display name of the member. */
  name: string;
  isModerator: boolean;
  /** The role that a moderator holds in the place. */
  role: string;
  place: 'community' | 'channel';
  /** Assigns the role, or removes it if the member is a moderator. */
  act(): Promise<unknown>;
  onDone(): void;
}

/** Makes a member a moderator of a community or channel, or dismisses them. */
export function ModeratorButton({ name, isModerator, role, place, act, onDone }: ModeratorButtonProps) {
  return (
    <ConfirmButton
      label={isModerator ? 'Dismiss moderator' : 'Make moderator'}
      isSmall
      title={isModerator ? `Dismiss ${name} as a moderator?` : `Make ${name} a moderator?`}
      success="The roles are changed."
      act={act}
      onDone={onDone}
    >
      The role {role} applies in this {place}.
    </ConfirmButton>
  );
}
