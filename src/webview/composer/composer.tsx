import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../../shared/protocol';
import { strings } from '../../shared/strings';
import type { Command, Transcript } from '../../shared/transcript/model';
import { useChat } from '../chatContext';
import { nextIndex } from '../controls/listKeys';
import { ComposerRow } from './composerRow';
import { Draft } from './draft';
import { PromptHistory } from './promptHistory';
import { SLASH_LIST_ID, SlashMenu, hintFor, matchingCommands, slashOptionId } from './slashMenu';

interface ComposerProps {
  readonly state: ChatState;
  readonly sessionId: string;
  readonly transcript: Transcript;
}

export function Composer({ state, sessionId, transcript }: ComposerProps) {
  const chat = useChat();
  const input = useRef<HTMLTextAreaElement>(null);
  const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0);
  const draft = useRef<Draft>(undefined);
  draft.current ??= new Draft(chat.post, sessionId);
  const history = useRef(new PromptHistory());
  const [activeIndex, setActiveIndex] = useState(0);
  const [isMenuDismissed, setIsMenuDismissed] = useState(false);

  const text = draft.current.text;
  const isRunning = transcript.turn.state === 'running';
  const commands = isMenuDismissed ? [] : matchingCommands(transcript.commands, text);
  const isMenuOpen = commands.length > 0;
  const active = Math.min(activeIndex, commands.length - 1);

  const write = (next: string) => {
    draft.current?.edit(next);
    setActiveIndex(0);
    setIsMenuDismissed(false);
    redraw(undefined);
  };
  const writeAtEnd = (next: string) => {
    write(next);
    requestAnimationFrame(() => input.current?.setSelectionRange(next.length, next.length));
  };
  const submit = () => {
    if (draft.current !== undefined && draft.current.text.trim() !== '') {
      draft.current.submit();
      // A prompt that is queued shows above the composer; the transcript stays where it is read.
      if (!isRunning) {
        chat.store.sent();
      }
      redraw(undefined);
    }
    input.current?.focus();
  };
  const stop = () => chat.post({ type: 'cancelTurn', sessionId });

  useLayoutEffect(() => {
    draft.current?.switchTo(sessionId, chat.store.draftOf(sessionId));
    redraw(undefined);
  }, [sessionId, chat]);
  useEffect(() => {
    const known = chat.store.draftOf(sessionId);
    if (known !== undefined && draft.current?.text === '') {
      draft.current.receive(known);
      redraw(undefined);
    }
    return chat.store.onComposerRequest((request) => {
      if (request.type === 'focusComposer') {
        input.current?.focus();
      } else if (request.type === 'insertText') {
        insertAtCursor(input.current, request.text, write);
      } else if (request.sessionId === sessionId) {
        draft.current?.receive(request.text);
        redraw(undefined);
      }
    });
  }, [chat, sessionId]);
  useEffect(() => {
    const save = () => draft.current?.save();
    window.addEventListener('pagehide', save);
    document.addEventListener('visibilitychange', save);
    return () => {
      window.removeEventListener('pagehide', save);
      document.removeEventListener('visibilitychange', save);
      save();
    };
  }, []);
  useLayoutEffect(() => {
    if (input.current !== null) {
      fitHeight(input.current);
    }
  }, [text]);

  const pick = (command: Command) => writeAtEnd(`/${command.name} `);
  const pressInMenu = (event: KeyboardEvent): boolean => {
    const moved = nextIndex(event.key, active, commands.length);
    const command = commands[active];
    if (moved !== undefined) {
      setActiveIndex(moved);
    } else if (event.key === 'Enter' && `/${command?.name ?? ''}` === text) {
      // The name is complete: Enter means what it always means.
      return false;
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && command !== undefined) {
      pick(command);
    } else if (event.key === 'Escape') {
      setIsMenuDismissed(true);
    } else {
      return false;
    }
    return true;
  };
  const press = (event: KeyboardEvent): boolean => {
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      submit();
      return true;
    }
    if (event.key === 'Escape' && isRunning) {
      stop();
      return true;
    }
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const recalled = history.current.move(event.key === 'ArrowUp' ? 'up' : 'down', text, transcript);
      if (recalled !== undefined) {
        writeAtEnd(recalled);
      }
      return recalled !== undefined;
    }
    return false;
  };

  const hint = hintFor(transcript.commands, text);
  return (
    <div class="composer">
      {isMenuOpen && (
        <SlashMenu commands={commands} activeIndex={active} onPick={pick} onHover={setActiveIndex} />
      )}
      <div class="composer-box">
        <div class="composer-text">
          <textarea
            ref={input}
            data-testid="composer"
            aria-label={strings.composerLabel}
            aria-autocomplete="list"
            aria-controls={isMenuOpen ? SLASH_LIST_ID : undefined}
            aria-activedescendant={isMenuOpen ? slashOptionId(active) : undefined}
            placeholder={placeholderFor(state, transcript)}
            rows={1}
            dir="auto"
            value={text}
            onInput={(event) => write(event.currentTarget.value)}
            onBlur={() => draft.current?.save()}
            onKeyDown={(event) => {
              // Some input methods send "Process" for keys they take, without saying that they compose.
              if (event.isComposing || event.key === 'Process') {
                return;
              }
              if ((isMenuOpen && pressInMenu(event)) || press(event)) {
                event.preventDefault();
                event.stopPropagation();
              }
            }}
          />
          {hint !== undefined && (
            <div class="composer-hint" aria-hidden="true">
              <span class="composer-hint-typed">{text}</span>
              {hint}
            </div>
          )}
        </div>
        <ComposerRow
          state={state}
          transcript={transcript}
          hasText={text.trim() !== ''}
          onSend={submit}
          onStop={stop}
        />
      </div>
    </div>
  );
}

function placeholderFor(state: ChatState, transcript: Transcript): string {
  const agent = state.session?.agentName ?? state.agents.find(({ id }) => id === state.agentId)?.name;
  return strings.placeholder(agent, transcript.commands.length > 0);
}

/** CSS holds the limit; `scrollHeight` is only true when the old height is out of the way. */
function fitHeight(input: HTMLTextAreaElement): void {
  input.style.setProperty('height', 'auto');
  input.style.setProperty('height', `${input.scrollHeight}px`);
}

function insertAtCursor(
  input: HTMLTextAreaElement | null,
  added: string,
  write: (text: string) => void,
): void {
  if (input === null) {
    return;
  }
  const { value, selectionStart, selectionEnd } = input;
  const end = selectionStart + added.length;
  write(value.slice(0, selectionStart) + added + value.slice(selectionEnd));
  input.focus();
  requestAnimationFrame(() => input.setSelectionRange(end, end));
}
