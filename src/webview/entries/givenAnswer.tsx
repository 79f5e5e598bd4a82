import { strings } from '../strings';
import type { FormAnswer, FormField } from '../../shared/transcript/model';

interface GivenAnswerProps {
  readonly fields: readonly FormField[];
  readonly answer: FormAnswer;
}

/** What was answered, in the words of the question. */
export function GivenAnswer({ fields, answer }: GivenAnswerProps) {
  const given = fields.filter(({ key }) => Object.hasOwn(answer, key) && !isNothing(answer[key]));
  return (
    <dl class="given-answer">
      {given.map((field) => (
        <div key={field.key}>
          <dt>{field.title}</dt>
          <dd dir="auto">{wordsFor(field, answer[field.key])}</dd>
        </div>
      ))}
    </dl>
  );
}

function isNothing(value: FormAnswer[string] | undefined): boolean {
  return value === undefined || (typeof value === 'object' && value.length === 0);
}

function wordsFor({ input }: FormField, value: FormAnswer[string] | undefined): string {
  if (typeof value === 'boolean') {
    return strings.yesOrNo(value);
  }
  const titles =
    input.type === 'choice' || input.type === 'choices'
      ? new Map(input.choices.map((choice) => [choice.value, choice.title]))
      : new Map<string, string>();
  const values = typeof value === 'object' ? value : [String(value ?? '')];
  return values.map((one) => titles.get(one) ?? one).join(', ');
}
