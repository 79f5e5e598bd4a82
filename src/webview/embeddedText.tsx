import { useState } from 'preact/hooks';
import { FileChip, fileNameOf } from './blockChip';
import { Icon } from './controls/icon';
import { LineHead } from './controls/lineHead';

interface EmbeddedTextProps {
  readonly uri: string;
  readonly text: string;
}

/** A text that came with its address: the name of it, and all of it on demand. */
export function EmbeddedText({ uri, text }: EmbeddedTextProps) {
  const [isOpen, setIsOpen] = useState(false);
  const name = fileNameOf(uri);
  return (
    <div class="embedded-text">
      <LineHead isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)}>
        <Icon name="file" />
        <span class="line-title" title={uri}>
          {name}
        </span>
        <span class="line-chevron">
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        </span>
      </LineHead>
      {isOpen && (
        <>
          <FileChip uri={uri} />
          <pre class="box box-text" tabIndex={0} role="group" aria-label={name}>
            {text}
          </pre>
        </>
      )}
    </div>
  );
}
