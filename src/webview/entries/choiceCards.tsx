import type { Choice } from '../../shared/transcript/model';

interface ChoiceCardsProps {
  readonly type: 'radio' | 'checkbox';
  /** Unique in the page. */
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly isInvalid: boolean;
  readonly onToggle: (choice: string, isOn: boolean) => void;
}

/** Choices with what they mean, one below the other. */
export function ChoiceCards({ type, id, choices, chosen, isInvalid, onToggle }: ChoiceCardsProps) {
  return (
    <>
      {choices.map(({ value, title, description }, index) => {
        const noteId = `${id}-choice-${index}`;
        const isChosen = chosen.includes(value);
        return (
          <label key={value} class={`check-label${description === undefined ? '' : ' choice-card'}`}>
            <input
              type={type}
              // The arrow keys go through the choices of one name.
              name={type === 'radio' ? id : undefined}
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
