import { useRef, useState } from 'preact/hooks';
import type { ElicitationAnswer } from '../../shared/protocol';
import { strings } from '../strings';
import type { FormField } from '../../shared/transcript/model';
import { inSession, useChat } from '../chatContext';
import { Button } from '../controls/button';
import { useFocusHandover } from '../useFocusHandover';
import { answerOf, initialValues, problemsOf, type FormProblems, type FormValues } from './formAnswer';
import { Field } from './formFields';

interface FormProps {
  readonly id: string;
  readonly title: string | undefined;
  readonly fields: readonly FormField[];
  readonly onReply: (answer: ElicitationAnswer) => void;
}

/** Judged when it is sent, not while it is filled in. */
export function ElicitationForm({ id, title, fields, onReply }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useFocusHandover(form);
  const [values, change] = useFormValues(id, fields);
  const [problems, setProblems] = useState<FormProblems>(new Map());
  const [first] = fields.filter(({ key }) => problems.has(key));
  const accept = () => {
    const found = problemsOf(fields, values);
    setProblems(found);
    if (found.size === 0) {
      onReply({ action: 'accept', content: answerOf(fields, values) });
      return;
    }
    const index = fields.findIndex(({ key }) => found.has(key));
    form.current?.querySelectorAll('.field')[index]?.querySelector<HTMLElement>('input, select')?.focus();
  };
  const changeField = (key: string, value: FormValues[string]) => {
    change(key, value);
    setProblems(new Map([...problems].filter(([other]) => other !== key)));
  };
  return (
    <form
      ref={form}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      {title !== undefined && <div class="form-title">{title}</div>}
      {fields.map((field, index) => (
        <Field
          key={field.key}
          id={`${id}-${index}`}
          field={field}
          value={Object.hasOwn(values, field.key) ? values[field.key] : undefined}
          problem={problems.get(field.key)}
          onChange={(value) => changeField(field.key, value)}
        />
      ))}
      <div class="visually-hidden" role="alert">
        {first !== undefined && strings.announceProblem(first.title, problems.get(first.key) ?? '')}
      </div>
      <div class="permission-options">
        <button type="submit" class="button">
          {strings.accept}
        </button>
        <Button isSecondary onClick={() => onReply({ action: 'decline' })}>
          {strings.decline}
        </Button>
        <Button isSecondary onClick={() => onReply({ action: 'cancel' })}>
          {strings.cancel}
        </Button>
      </div>
    </form>
  );
}

/** What was filled in outlives the row, which goes when another session is shown. */
function useFormValues(
  id: string,
  fields: readonly FormField[],
): readonly [FormValues, (key: string, value: FormValues[string]) => void] {
  const chat = useChat();
  const key = inSession(chat, id);
  const [values, setValues] = useState(() => chat.forms.get(key) ?? initialValues(fields));
  const change = (field: string, value: FormValues[string]) => {
    const changed = Object.fromEntries([...Object.entries(values), [field, value]]);
    chat.forms.set(key, changed);
    setValues(changed);
  };
  return [values, change];
}
