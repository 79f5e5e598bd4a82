import type { Choice } from '../../shared/transcript/model';

interface ChoiceCardsProps {
  readonly type: 'radio' | 'checkbox';
  /** Of the group: the arrow keys go from one to the next. */
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly isInvalid: boolean;
  readonly onToggle: (choice: string, isOn: boolean) => void;
}

/** Choices with what they mean, one below the other. */
export function ChoiceCards({ type, name, choices, chosen, isInvalid, onToggle }: ChoiceCardsProps) {
  return (
    <>
      {choices.map(({ value, title, description }, index) => {
        const noteId = `${name}-choice-${index}`;
        const isChosen = chosen.includes(value);
        return (
          <label key={value} class={`check-label${description === undefined ? '' : ' choice-card'}`}>
            <input
              type={type}
              name={name}
              checked={isChosen}
              aria-invalid={isInvalid}
              aria-describedby={description === undefined ? undefined : noteId}
              onChange={(event) => onToggle(value, event.currentTarget.checked)}
              onClick={() => type === 'radio' && isChosen && onToggle(value, false)}
            />
            <span class="choice-words">
              {title}
              {description !== undefined && (
                <span id={noteId} class="choice-description" aria-hidden="true">
                  {description}
                </span>
              )}
            </span>
          </label>
        );
      })}
    </>
  );
}
