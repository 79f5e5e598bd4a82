import { useLayoutEffect, useRef } from 'preact/hooks';
import { strings } from '../strings';
import type { ConfigOption } from '../../shared/transcript/model';
import { keepInView } from '../controls/keepInView';
import type { Popup } from '../controls/usePopup';
import { ConfigPicker } from './configPickers';

interface MoreOptionsProps {
  readonly menu: Popup;
  readonly options: readonly ConfigOption[];
  readonly isHidden: boolean;
}

/** The options that have no room in the row. They stay in the document while this is closed. */
export function MoreOptions({ menu, options, isHidden }: MoreOptionsProps) {
  const { isOpen, root, button, toggle, close, openByArrow } = menu;
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOpen && popup.current !== null) {
      keepInView(popup.current);
      popup.current.querySelector('button')?.focus({ preventScroll: true });
    }
  }, [isOpen]);
  return (
    <div class="more" ref={root} hidden={isHidden}>
      <button
        ref={button}
        type="button"
        class="icon-button codicon codicon-ellipsis"
        aria-label={strings.moreOptions}
        aria-expanded={isOpen}
        title={strings.moreOptions}
        onClick={toggle}
        onKeyDown={openByArrow}
      />
      <div
        ref={popup}
        class="popup more-options"
        role="group"
        aria-label={strings.moreOptions}
        hidden={!isOpen}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            close();
          }
        }}
      >
        {options.map((option) => (
          <div key={option.id} class="more-option">
            {option.input.type === 'select' && <span class="more-label">{option.name}</span>}
            <ConfigPicker option={option} />
          </div>
        ))}
      </div>
    </div>
  );
}
