import { useRef } from 'preact/hooks';

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface EditEnd {
  /** Undefined when the user gave it up. */
  readonly text: string | undefined;
  /** By a key: then the focus has nowhere else to be. */
  readonly isByKey: boolean;
}

export interface InlineEdit {
  readonly onBlur: (event: { readonly currentTarget: Field }) => void;
  readonly onKeyDown: (event: KeyboardEvent & { readonly currentTarget: Field }) => void;
}

/** A field in the place of what it edits: Enter and leaving it keep what was written, Escape does not. */
export function useInlineEdit(onEnd: (end: EditEnd) => void): InlineEdit {
  // A field that is taken out of the document loses its focus aloud, after it has ended.
  const hasEnded = useRef(false);
  const end = (text: string | undefined, isByKey: boolean) => {
    if (!hasEnded.current) {
      hasEnded.current = true;
      onEnd({ text, isByKey });
    }
  };
  return {
    onBlur: ({ currentTarget }) => end(currentTarget.value, false),
    onKeyDown: (event) => {
      if (event.isComposing || event.key === 'Process') {
        return;
      }
      if (event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault();
        end(event.currentTarget.value, true);
      } else if (event.key === 'Escape') {
        event.stopPropagation();
        end(undefined, true);
      }
    },
  };
}
