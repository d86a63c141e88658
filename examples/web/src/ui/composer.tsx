import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { report } from './notice.tsx';

interface ComposerProps {
  label: string;
  button: string;
  isDisabled?: boolean;
  /** Resolves when the text is stored. A text that was refused returns to the field. */
  onSubmit(text: string): Promise<void>;
}

/** A field whose text is sent by Enter; Shift+Enter starts a new line. */
export function Composer({ label, button, isDisabled = false, onSubmit }: ComposerProps) {
  const [text, setText] = useState('');

  function submit(event: FormEvent | KeyboardEvent): void {
    event.preventDefault();
    const written = text.trim();
    if (written === '') return;
    setText('');
    onSubmit(written).catch((error) => {
      setText((current) => current || written);
      report(error);
    });
  }

  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        aria-label={label}
        placeholder={label}
        rows={1}
        value={text}
        disabled={isDisabled}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <button type="submit" disabled={isDisabled}>
        {button}
      </button>
    </form>
  );
}
