import { useState } from 'react';
import { RenameKeyDocument, RetireKeyDocument, RotateKeyDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Field } from '../../ui/field.tsx';
import type { NetworkKey } from './key-state.tsx';

/** Hours for which a replaced key is accepted by default, and at most. */
const DEFAULT_OVERLAP = 24;
const MAX_OVERLAP = 8_760;

export interface NewKey {
  name: string;
  value: string;
}

interface KeyActionsProps {
  networkKey: NetworkKey;
  onRotate(key: NewKey): void;
  onChange(): void;
}

export function KeyActions({ networkKey, onRotate, onChange }: KeyActionsProps) {
  if (networkKey.hasExpired) return null;
  const { keyId, name, expiresAt } = networkKey;
  return (
    <div className="actions">
      <RenameKey networkKey={networkKey} onChange={onChange} />
      {expiresAt === null && <RotateKey networkKey={networkKey} onRotate={onRotate} />}
      <ConfirmButton
        label="Retire"
        isSmall
        isDanger
        title={`Refuse the key ${name} from now on?`}
        success="The key is retired."
        act={() => execute(RetireKeyDocument, { input: { keyId } })}
        onDone={onChange}
      >
        Applications that still use it cannot create sessions. This cannot be undone.
      </ConfirmButton>
    </div>
  );
}

function RenameKey({ networkKey: { keyId, name }, onChange }: Pick<KeyActionsProps, 'networkKey' | 'onChange'>) {
  const [given, setGiven] = useState(name);
  return (
    <ConfirmButton
      label="Rename"
      isSmall
      title={`Rename the key ${name}`}
      success="The key is renamed."
      act={() => execute(RenameKeyDocument, { input: { keyId, name: given.trim() } })}
      onDone={onChange}
    >
      <Field label="New name" maxLength={100} value={given} onChange={(event) => setGiven(event.target.value)} />
    </ConfirmButton>
  );
}

function RotateKey({ networkKey: { keyId, name }, onRotate }: Pick<KeyActionsProps, 'networkKey' | 'onRotate'>) {
  const [hours, setHours] = useState(String(DEFAULT_OVERLAP));
  async function rotate(): Promise<void> {
    const input = { keyId, overlapHours: Number(hours) };
    const { rotateKey } = await execute(RotateKeyDocument, { input });
    if (rotateKey.__typename === 'RotateKeyPayload' && rotateKey.value !== null)
      onRotate({ name, value: rotateKey.value });
  }
  return (
    <ConfirmButton
      label="Rotate"
      isSmall
      title={`Replace the key ${name}?`}
      success="The key is replaced."
      act={rotate}
    >
      <Field
        label="Hours for which the old key is still accepted"
        type="number"
        min={0}
        max={MAX_OVERLAP}
        value={hours}
        onChange={(event) => setHours(event.target.value)}
        hint="With 0 it is refused immediately."
      />
    </ConfirmButton>
  );
}
