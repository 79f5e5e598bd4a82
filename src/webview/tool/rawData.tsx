import { useState } from 'preact/hooks';
import { strings } from '../strings';
import type { ToolEntry } from '../../shared/transcript/model';
import { Icon } from '../controls/icon';

/** What exactly went to the tool and came back, for those who want to know. */
export function RawData({ tool }: { readonly tool: ToolEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  if (tool.rawInput === undefined && tool.rawOutput === undefined) {
    return null;
  }
  return (
    <div class="raw">
      <button type="button" class="quiet-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        {strings.rawData}
      </button>
      {isOpen && <Json label={strings.rawInput} value={tool.rawInput} />}
      {isOpen && <Json label={strings.rawOutput} value={tool.rawOutput} />}
    </div>
  );
}

/** Data as it is, for people to read. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  if (value === undefined) {
    return null;
  }
  return (
    <div class="box">
      <div class="box-bar">{label}</div>
      <pre class="box-scroll box-text" tabIndex={0} role="group" aria-label={label}>
        {typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}
      </pre>
    </div>
  );
}
