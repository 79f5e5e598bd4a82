import type { FormField } from '../../shared/transcript/model';
import { strings } from '../../shared/strings';
import type { FormValues } from './formAnswer';

interface FieldProps {
  /** Unique in the page. */
  readonly id: string;
  readonly field: FormField;
  readonly value: FormValues[string] | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: FormValues[string]) => void;
}

export function Field({ id, field, value, problem, onChange }: FieldProps) {
  const isGroup = field.input.type === 'choices';
  const noteId = `${id}-note`;
  return (
    <div
      class="field"
      role={isGroup ? 'group' : undefined}
      aria-labelledby={isGroup ? `${id}-label` : undefined}
    >
      {field.input.type !== 'boolean' && (
        <label id={`${id}-label`} class="field-label" for={isGroup ? undefined : id}>
          {field.title}
          {!field.isRequired && <span class="field-optional"> {strings.optional}</span>}
        </label>
      )}
      <Input id={id} noteId={noteId} field={field} value={value} problem={problem} onChange={onChange} />
      <div id={noteId} class={`field-note${problem === undefined ? '' : ' problem'}`}>
        {problem ?? field.description}
      </div>
    </div>
  );
}

function Input({ id, noteId, field, value, problem, onChange }: FieldProps & { readonly noteId: string }) {
  const { input } = field;
  const common = {
    id,
    'aria-describedby': noteId,
    'aria-invalid': problem !== undefined,
    'aria-required': field.isRequired,
  };
  switch (input.type) {
    case 'boolean':
      return (
        <label class="check-label">
          <input
            {...common}
            type="checkbox"
            aria-required={undefined}
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          {field.title}
        </label>
      );
    case 'choice':
      return (
        <select {...common} class="input" onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="" selected={value === ''}>
            {strings.choose}
          </option>
          {input.choices.map((choice) => (
            <option key={choice.value} value={choice.value} selected={choice.value === value}>
              {choice.title}
            </option>
          ))}
        </select>
      );
    case 'choices': {
      const chosen = typeof value === 'object' ? value : [];
      return (
        <>
          {input.choices.map((choice) => (
            <label key={choice.value} class="check-label">
              <input
                type="checkbox"
                checked={chosen.includes(choice.value)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked
                      ? [...chosen, choice.value]
                      : chosen.filter((other) => other !== choice.value),
                  )
                }
              />
              {choice.title}
            </label>
          ))}
        </>
      );
    }
    case 'number':
    case 'text':
      return (
        <input
          {...common}
          class="input"
          type="text"
          inputMode={input.type === 'number' ? 'decimal' : 'text'}
          dir="auto"
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
