import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Attachment } from '../../shared/attachments';
import type { ChatState, HostMessage } from '../../shared/protocol';
import { strings } from '../strings';
import type { Transcript } from '../../shared/transcript/model';
import { useChat } from '../chatContext';
import { Icon } from '../controls/icon';
import { nextIndex } from '../controls/listKeys';
import { AttachmentChips } from './attachmentChips';
import { CompletionMenu, MENU_ID, menuOptionId } from './completionMenu';
import { ComposerRow } from './composerRow';
import { contextWords } from './contextWords';
import { Draft, asDraft } from './draft';
import { mentionAt, withoutMention } from './mention';
import { PromptHistory } from './promptHistory';
import { commandCompletions, hintFor, matchingCommands } from './slashCommands';
import { canDrop, droppedPaths, pastedFiles, takeFiles } from './takeFiles';
import { useContextSearch } from './useContextSearch';

interface ComposerProps {
  readonly state: ChatState;
  readonly sessionId: string;
  readonly transcript: Transcript;
  /** Then Escape is for closing that. */
  readonly isFindOpen: boolean;
}

export function Composer({ state, sessionId, transcript, isFindOpen }: ComposerProps) {
  const chat = useChat();
  const input = useRef<HTMLTextAreaElement>(null);
  const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0);
  const draftRef = useRef<Draft>(undefined);
  const draft = (draftRef.current ??= new Draft(chat.post, sessionId));
  const history = useRef(new PromptHistory());
  const [activeIndex, setActiveIndex] = useState(0);
  const [isMenuDismissed, setIsMenuDismissed] = useState(false);
  /** Where something was last typed; a cursor that is only moved opens no menu. */
  const [typedAt, setTypedAt] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [isDropping, setIsDropping] = useState(false);
  /** Where the cursor goes with the text that is about to be shown. */
  const cursor = useRef<number>(undefined);

  const { text, attachments } = draft;
  const isRunning = transcript.turn.state === 'running';
  const agent = state.session?.agentName ?? state.agents.find(({ id }) => id === state.agentId)?.name;
  const refusesImages = refusesImagesIn(state);

  const commands = isMenuDismissed ? [] : matchingCommands(transcript.commands, text);
  const mention = isMenuDismissed || typedAt === undefined ? undefined : mentionAt(text, typedAt);
  const { suggestions, isSearching, receive: receiveSuggestions } = useContextSearch(mention?.query);
  const menuSize = commands.length > 0 ? commands.length : suggestions.length;
  const isMenuOpen = menuSize > 0;
  const active = Math.min(activeIndex, menuSize - 1);

  const write = (next: string, cursor?: number) => {
    draft.edit(next);
    setActiveIndex(0);
    setIsMenuDismissed(false);
    setTypedAt(cursor);
    setProblem(undefined);
    redraw(undefined);
  };
  const writeWithCursor = (next: string, at: number) => {
    write(next);
    cursor.current = at;
  };
  const attach = (added: readonly Attachment[]) => {
    draft.attach(added);
    redraw(undefined);
  };
  const detach = (id: string) => {
    draft.detach(id);
    setProblem(undefined);
    redraw(undefined);
  };
  const submit = () => {
    if (draft.canSend) {
      draft.submit();
      setProblem(undefined);
      setTypedAt(undefined);
      // A prompt that is queued shows above the composer; the transcript stays where it is read.
      if (!isRunning) {
        chat.store.sent();
      }
      redraw(undefined);
    }
    input.current?.focus();
  };
  const stop = () => chat.post({ type: 'cancelTurn', sessionId });
  const take = async (files: readonly File[]) => {
    const refusal = refusesImages ? contextWords.takesNoImages(agent ?? strings.agent) : undefined;
    const taken = await takeFiles(files, refusal);
    attach(taken.attachments);
    setProblem(taken.problems.length === 0 ? undefined : taken.problems.join(' '));
  };
  const drop = (data: DataTransfer) => {
    const named = droppedPaths(data);
    if (named.length > 0) {
      attach(named);
    } else {
      void take([...data.files]);
    }
    input.current?.focus();
  };

  useLayoutEffect(() => {
    draft.switchTo(sessionId, asDraft(chat.store.draftOf(sessionId)));
    setTypedAt(undefined);
    setProblem(undefined);
    redraw(undefined);
  }, [sessionId, chat]);
  useEffect(() => {
    const known = asDraft(chat.store.draftOf(sessionId));
    if (known !== undefined && !draft.canSend) {
      draft.receive(known);
      redraw(undefined);
    }
    return chat.store.onComposerRequest(sessionId, (request: HostMessage) => {
      if (request.type === 'focusComposer') {
        input.current?.focus();
      } else if (request.type === 'insertText') {
        insertAtCursor(input.current, request.text, writeWithCursor);
      } else if (request.type === 'attach') {
        attach(request.attachments);
        input.current?.focus();
      } else if (request.type === 'contextFound') {
        receiveSuggestions(request);
      } else if (request.type === 'draft' && request.sessionId === sessionId) {
        draft.receive(request);
        redraw(undefined);
      }
    });
  }, [chat, sessionId]);
  useEffect(() => {
    const save = () => draft.save();
    window.addEventListener('pagehide', save);
    document.addEventListener('visibilitychange', save);
    return () => {
      window.removeEventListener('pagehide', save);
      document.removeEventListener('visibilitychange', save);
      save();
    };
  }, []);
  useLayoutEffect(() => {
    if (input.current !== null && !hasFieldSizing()) {
      fitHeight(input.current);
    }
  }, [text]);
  useLayoutEffect(() => {
    if (cursor.current !== undefined) {
      input.current?.setSelectionRange(cursor.current, cursor.current);
      cursor.current = undefined;
    }
  });

  const pick = (index: number) => {
    const command = commands[index];
    const suggestion = suggestions[index];
    if (command !== undefined) {
      const next = `/${command.name} `;
      writeWithCursor(next, next.length);
    } else if (suggestion !== undefined && mention !== undefined) {
      if (suggestion.attachment === undefined) {
        chat.post({ type: 'addTerminalSelection' });
      } else {
        attach([suggestion.attachment]);
      }
      writeWithCursor(withoutMention(text, mention), mention.start);
    }
  };
  const pressInMenu = (event: KeyboardEvent): boolean => {
    const moved = nextIndex(event.key, active, menuSize);
    if (moved !== undefined) {
      setActiveIndex(moved);
    } else if (
      event.key === 'Enter' &&
      commands[active] !== undefined &&
      `/${commands[active].name}` === text
    ) {
      // The name is complete: Enter means what it always means.
      return false;
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      // What is shown until the answer comes was found for less than what is written now.
      if (commands.length > 0 || !isSearching) {
        pick(active);
      }
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
    if (event.key === 'Escape' && isRunning && !isFindOpen) {
      stop();
      return true;
    }
    const last = attachments.at(-1);
    if (event.key === 'Backspace' && last !== undefined && isAtStart(input.current)) {
      detach(last.id);
      return true;
    }
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const direction = event.key === 'ArrowUp' ? 'up' : 'down';
      const recalled = isOnEdge(input.current, direction)
        ? history.current.move(direction, text, transcript)
        : undefined;
      if (recalled !== undefined) {
        writeWithCursor(recalled, recalled.length);
      }
      return recalled !== undefined;
    }
    return false;
  };
  const cursorMoved = (event: { readonly currentTarget: HTMLTextAreaElement }) => {
    if (typedAt !== undefined && event.currentTarget.selectionStart !== typedAt) {
      setTypedAt(undefined);
    }
  };

  const hint = hintFor(transcript.commands, text);
  return (
    <div class="composer">
      {isMenuOpen && (
        <CompletionMenu
          label={commands.length > 0 ? strings.commands : contextWords.context}
          isOneLine={commands.length === 0}
          completions={
            commands.length > 0
              ? commandCompletions(commands)
              : suggestions.map(({ attachment, label, description, icon }) => ({
                  key: attachment?.id ?? label,
                  icon,
                  title: label,
                  description,
                }))
          }
          activeIndex={active}
          onPick={pick}
          onHover={setActiveIndex}
        />
      )}
      <div
        class={`composer-box${isDropping ? ' dropping' : ''}`}
        onDragOver={(event) => {
          if (canDrop(event.dataTransfer)) {
            event.preventDefault();
            setIsDropping(true);
          }
        }}
        onDragLeave={(event) => {
          const next = event.relatedTarget;
          if (!(next instanceof Node && event.currentTarget.contains(next))) {
            setIsDropping(false);
          }
        }}
        onDrop={(event) => {
          setIsDropping(false);
          if (event.dataTransfer !== null && canDrop(event.dataTransfer)) {
            event.preventDefault();
            drop(event.dataTransfer);
          }
        }}
      >
        {attachments.length > 0 && (
          <AttachmentChips
            attachments={attachments}
            imageWarning={refusesImages ? contextWords.imageLeftOut(agent ?? strings.agent) : undefined}
            onRemove={detach}
            onLeave={() => input.current?.focus()}
          />
        )}
        <div class="composer-text">
          <textarea
            ref={input}
            data-testid="composer"
            aria-label={strings.composerLabel}
            aria-autocomplete="list"
            aria-controls={isMenuOpen ? MENU_ID : undefined}
            aria-activedescendant={isMenuOpen ? menuOptionId(active) : undefined}
            placeholder={strings.placeholder(agent, transcript.commands.length > 0) + contextWords.attachHint}
            rows={1}
            dir="auto"
            value={text}
            onInput={(event) => write(event.currentTarget.value, event.currentTarget.selectionStart)}
            onKeyUp={cursorMoved}
            onClick={cursorMoved}
            onBlur={() => {
              draft.save();
              setTypedAt(undefined);
            }}
            onPaste={(event) => {
              const files = pastedFiles(event.clipboardData);
              if (files !== undefined) {
                event.preventDefault();
                void take(files);
              }
            }}
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
        {problem !== undefined && (
          <div class="composer-problem" role="alert">
            <Icon name="warning" />
            <span>{problem}</span>
          </div>
        )}
        <ComposerRow
          state={state}
          transcript={transcript}
          canSend={draft.canSend}
          onAttach={() => chat.post({ type: 'pickFiles' })}
          onSend={submit}
          onStop={stop}
        />
        {isDropping && <div class="drop-hint">{contextWords.dropHere}</div>}
      </div>
    </div>
  );
}

/** Only a session that is connected knows; for all others the host decides when the prompt is sent. */
function refusesImagesIn({ session }: ChatState): boolean {
  const isConnected = session?.status === 'active' || session?.status === 'idle';
  return isConnected && !session.accepts.image;
}

function isAtStart(input: HTMLTextAreaElement | null): boolean {
  return input?.selectionStart === 0 && input.selectionEnd === 0;
}

/** Where the key cannot move the cursor within the text: in its first line, or in its last. */
function isOnEdge(input: HTMLTextAreaElement | null, direction: 'up' | 'down'): boolean {
  if (input === null) {
    return false;
  }
  const { value, selectionStart, selectionEnd } = input;
  return !(direction === 'up' ? value.slice(0, selectionStart) : value.slice(selectionEnd)).includes('\n');
}

/** Chromium has had it since version 123; the editor also runs in other browsers. */
function hasFieldSizing(): boolean {
  return 'fieldSizing' in document.documentElement.style;
}

/** `scrollHeight` is only true when the old height is out of the way. */
function fitHeight(input: HTMLTextAreaElement): void {
  input.style.setProperty('height', 'auto');
  input.style.setProperty('height', `${input.scrollHeight}px`);
}

function insertAtCursor(
  input: HTMLTextAreaElement | null,
  added: string,
  write: (text: string, cursor: number) => void,
): void {
  if (input === null) {
    return;
  }
  const { value, selectionStart, selectionEnd } = input;
  input.focus();
  write(value.slice(0, selectionStart) + added + value.slice(selectionEnd), selectionStart + added.length);
}
