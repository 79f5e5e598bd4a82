import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { strings } from '../strings';
import type { Choice, ConfigGroup } from '../../shared/transcript/model';
import { Icon } from './icon';
import { keepInView, revealActive } from './keepInView';
import { nextIndex, typedAhead } from './listKeys';
import { usePopup } from './usePopup';

/** With more values than this, searching is faster than looking. */
const SEARCH_FROM = 9;
const TYPE_AHEAD_MS = 700;

interface PickerProps {
  readonly label: string;
  readonly tooltip?: string;
  readonly icon?: string;
  readonly groups: readonly ConfigGroup[];
  readonly value: string | undefined;
  readonly attributes: Readonly<Record<`data-${string}`, string>>;
  readonly onPick: (value: string) => void;
}

/** A button that opens a list of values above it. */
export function Picker({ label, tooltip, icon, groups, value, attributes, onPick }: PickerProps) {
  const { isOpen, root, button, toggle, close, openByArrow } = usePopup();
  const current = groups.flatMap((group) => group.values).find((choice) => choice.value === value);
  const shown = current?.title ?? value ?? label;

  return (
    <div class="picker" ref={root} {...attributes}>
      <button
        type="button"
        ref={button}
        class="picker-button"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-label={`${label}: ${shown}`}
        title={tooltip ?? label}
        onClick={toggle}
        onKeyDown={openByArrow}
      >
        {icon !== undefined && <Icon name={icon} />}
        <span class="picker-value">{shown}</span>
        <Icon name="chevron-down" />
      </button>
      {isOpen && (
        <PickerList
          label={label}
          groups={groups}
          value={value}
          onClose={close}
          onPick={(picked) => {
            close();
            if (picked !== value) {
              onPick(picked);
            }
          }}
        />
      )}
    </div>
  );
}

interface PickerListProps {
  readonly label: string;
  readonly groups: readonly ConfigGroup[];
  readonly value: string | undefined;
  readonly onPick: (value: string) => void;
  readonly onClose: () => void;
}

function PickerList({ label, groups, value, onPick, onClose }: PickerListProps) {
  const all = groups.flatMap((group) => group.values);
  const hasSearch = all.length >= SEARCH_FROM;
  const [query, setQuery] = useState('');
  const found = groups
    .map((group) => ({ ...group, values: group.values.filter((choice) => matches(choice, query)) }))
    .filter((group) => group.values.length > 0);
  const choices = found.flatMap((group) => group.values);
  const [active, setActive] = useState(value ?? choices[0]?.value);
  const activeIndex = Math.max(
    0,
    choices.findIndex((choice) => choice.value === active),
  );
  const popup = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const listId = `picker-${label.replace(/\W+/g, '-')}`;
  const optionId = (index: number) => `${listId}-${index}`;

  useLayoutEffect(() => {
    if (popup.current !== null) {
      keepInView(popup.current);
    }
    (search.current ?? list.current)?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    revealActive(list.current);
  }, [activeIndex, query]);

  const press = (event: KeyboardEvent) => {
    if (event.isComposing) {
      return;
    }
    const moved = nextIndex(event.key, activeIndex, choices.length);
    if (moved !== undefined) {
      setActive(choices[moved]?.value);
    } else if (event.key === 'Enter' || (event.key === ' ' && !hasSearch)) {
      const picked = choices[activeIndex];
      if (picked !== undefined) {
        onPick(picked.value);
      }
    } else if (event.key === 'Escape') {
      onClose();
    } else if (!hasSearch && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const isFresh = event.timeStamp - typed.current.at > TYPE_AHEAD_MS;
      typed.current = { text: (isFresh ? '' : typed.current.text) + event.key, at: event.timeStamp };
      setActive(choices[typedAhead(choices, typed.current.text, activeIndex)]?.value);
    } else {
      return;
    }
    event.preventDefault();
    // Escape closes the list and nothing else.
    event.stopPropagation();
  };

  const activeId = choices.length === 0 ? undefined : optionId(activeIndex);
  let index = -1;
  return (
    <div class="popup picker-popup" ref={popup} onKeyDown={press}>
      {hasSearch && (
        <input
          ref={search}
          class="input"
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={activeId}
          aria-label={strings.searchIn(label)}
          placeholder={strings.search}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <div
        ref={list}
        id={listId}
        class="picker-list"
        role="listbox"
        aria-label={label}
        tabIndex={hasSearch ? -1 : 0}
        aria-activedescendant={hasSearch ? undefined : activeId}
      >
        {found.map((group) => (
          <div key={group.name ?? ''} role="group" aria-label={group.name ?? label}>
            {group.name !== undefined && (
              <div class="picker-group" role="presentation">
                {group.name}
              </div>
            )}
            {group.values.map((choice) => {
              index += 1;
              const isActive = index === activeIndex;
              return (
                <div
                  key={choice.value}
                  id={optionId(index)}
                  role="option"
                  class="option"
                  data-value={choice.value}
                  data-active={isActive ? '' : undefined}
                  aria-selected={choice.value === value}
                  onPointerMove={() => setActive(choice.value)}
                  onClick={() => onPick(choice.value)}
                >
                  <span class="option-check">{choice.value === value && <Icon name="check" />}</span>
                  <span class="option-text">
                    <span class="option-title">{choice.title}</span>
                    {choice.description !== undefined && choice.description !== '' && (
                      <span class="option-description">{choice.description}</span>
                    )}
                  </span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {choices.length === 0 && <div class="picker-empty">{strings.nothingFound}</div>}
    </div>
  );
}

function matches(choice: Choice, query: string): boolean {
  const text = `${choice.title} ${choice.value} ${choice.description ?? ''}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
