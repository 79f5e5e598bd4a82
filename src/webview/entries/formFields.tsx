import type { TargetedEvent } from 'preact';
import type { FormField, FormInput } from '../../shared/transcript/model';
import { strings } from '../strings';
import { Icon } from '../controls/icon';
import { ChoiceCards } from './choiceCards';
import type { FormValues } from './formAnswer';

const groupRole = { choice: 'radiogroup', choices: 'group' } as const;

interface FieldProps {
  /** Unique in the page. */
  readonly id: string;
  readonly field: FormField;
  readonly value: FormValues[string] | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: FormValues[string]) => void;
}

export function Field({ id, field, value, problem, onChange }: FieldProps) {
  const isGroup = field.input.type === 'choices' || isCards(field.input);
  const noteId = `${id}-note`;
  return (
    <div
      class="field"
      role={isGroup ? groupRole[field.input.type === 'choices' ? 'choices' : 'choice'] : undefined}
      aria-labelledby={isGroup ? `${id}-label` : undefined}
      aria-describedby={isGroup ? noteId : undefined}
    >
      {field.input.type !== 'boolean' && <FieldLabel id={id} field={field} isGroup={isGroup} />}
      <Input id={id} noteId={noteId} field={field} value={value} problem={problem} onChange={onChange} />
      <div id={noteId} class={`field-note${problem === undefined ? '' : ' problem'}`}>
        {problem ?? field.description}
      </div>
    </div>
  );
}

interface FieldLabelProps {
  readonly id: string;
  readonly field: FormField;
  readonly isGroup: boolean;
}

function FieldLabel({ id, field, isGroup }: FieldLabelProps) {
  const words = (
    <>
      {field.title}
      {!field.isRequired && <span class="field-optional"> {strings.optional}</span>}
    </>
  );
  return isGroup ? (
    <div id={`${id}-label`} class="field-label">
      {words}
    </div>
  ) : (
    <label id={`${id}-label`} class="field-label" for={id}>
      {words}
    </label>
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
      return isCards(input) ? (
        <ChoiceCards
          type="radio"
          id={id}
          choices={input.choices}
          chosen={typeof value === 'string' ? [value] : []}
          isInvalid={problem !== undefined}
          // A choice that need not be made can be taken back.
          onToggle={(choice, isOn) => (isOn || !field.isRequired) && onChange(isOn ? choice : '')}
        />
      ) : (
        <div class="dropdown">
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
          <Icon name="chevron-down" />
        </div>
      );
    case 'choices': {
      const chosen = typeof value === 'object' ? value : [];
      return (
        <ChoiceCards
          type="checkbox"
          id={id}
          choices={input.choices}
          chosen={chosen}
          isInvalid={problem !== undefined}
          onToggle={(choice, isOn) =>
            onChange(isOn ? [...chosen, choice] : chosen.filter((other) => other !== choice))
          }
        />
      );
    }
    case 'number':
    case 'text': {
      const props = {
        ...common,
        class: 'input',
        value: typeof value === 'string' ? value : '',
        onInput: (event: TargetedEvent<HTMLInputElement>) => onChange(event.currentTarget.value),
      };
      return <TextInput format={input.type === 'text' ? input.format : 'number'} props={props} />;
    }
  }
}

interface TextInputProps {
  readonly format: string | undefined;
  readonly props: {
    readonly id: string;
    readonly class: string;
    readonly value: string;
    readonly onInput: (event: TargetedEvent<HTMLInputElement>) => void;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-required': boolean;
  };
}

/** Numbers are typed as text: an input for numbers says nothing of what it does not understand. */
function TextInput({ format, props }: TextInputProps) {
  switch (format) {
    case 'number':
      return <input {...props} type="text" inputMode="decimal" />;
    case 'date':
      return <input {...props} type="date" />;
    case 'date-time':
      return <input {...props} type="datetime-local" />;
    case 'email':
      return <input {...props} type="email" />;
    case 'uri':
      return <input {...props} type="url" />;
    default:
      return <input {...props} type="text" dir="auto" />;
  }
}

/** What is to be chosen by its description must be seen with it; what has none fits into a list. */
function isCards(input: FormInput): boolean {
  return input.type === 'choice' && input.choices.some(({ description }) => description !== undefined);
}
