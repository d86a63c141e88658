import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
}

export function Field({ label, hint, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...rest} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      {hint && (
        <p className="muted" id={`${id}-hint`}>
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
