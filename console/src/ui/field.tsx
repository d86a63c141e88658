import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface Labelled {
  label: string;
  hint?: ReactNode;
}

export function Field({ label, hint, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <LabelledBox label={label} hint={hint}>
      {(names) => <input {...rest} {...names} />}
    </LabelledBox>
  );
}

export function TextArea({ label, hint, ...rest }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <LabelledBox label={label} hint={hint}>
      {(names) => <textarea {...rest} {...names} />}
    </LabelledBox>
  );
}

interface LabelledBoxProps extends Labelled {
  /** @param names attributes that connect the control with its label and hint */
  children(names: { id: string; 'aria-describedby': string | undefined }): ReactNode;
}

function LabelledBox({ label, hint, children }: LabelledBoxProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': hint ? hintId : undefined })}
      {hint && (
        <p className="muted" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  label: string;
  /** Value and text of each option. */
  options: ReadonlyArray<readonly [value: string, text: string]>;
  onChange(value: string): void;
}

export function Select({ label, options, onChange, ...rest }: SelectProps) {
  return (
    <select {...rest} aria-label={label} onChange={(event) => onChange(event.target.value)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
