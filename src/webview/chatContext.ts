import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { WebviewMessage } from '../shared/protocol';
import type { ActionCommand, Terminal } from '../shared/transcript/model';
import type { FormValues } from './entries/formAnswer';
import type { WorkspaceImages } from './markdown/workspaceImages';
import type { Store } from './store';

/** What every part of the chat may use. The object stays the same for the life of the page. */
export interface Chat {
  readonly store: Store;
  readonly post: (message: WebviewMessage) => void;
  readonly images: WorkspaceImages;
  /** What the user opened or closed by hand, by session and entry; it outlives the rows. */
  readonly expansion: Map<string, boolean>;
  /** What is filled in of forms that are not answered, by session and entry. */
  readonly forms: Map<string, FormValues>;
}

const ChatContext = createContext<Chat | undefined>(undefined);
export const ChatProvider = ChatContext.Provider;

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined) {
    throw new Error('useChat needs a ChatProvider above it.');
  }
  return chat;
}

/** Read at the time of the click, so that rows need no new props when the session changes. */
export function currentSessionId(chat: Chat): string {
  return chat.store.view.sessionId;
}

/** The same id may be in two sessions. */
export function inSession(chat: Chat, id: string): string {
  return `${currentSessionId(chat)}\0${id}`;
}

/** The folder that the session's paths are shown from. */
export function useWorkdir(): string {
  return useChat().store.view.state?.session?.workdir ?? '';
}

export function runAction(chat: Chat, command: ActionCommand, argument?: string): void {
  chat.post({ type: 'runAction', sessionId: currentSessionId(chat), command, argument });
}

/** Open or closed as the user chose, else as `byDefault` says at the moment. */
export function useExpansion(id: string, byDefault: boolean): readonly [boolean, () => void] {
  const chat = useChat();
  const [, redraw] = useState(0);
  const key = inSession(chat, id);
  const isOpen = chat.expansion.get(key) ?? byDefault;
  const toggle = () => {
    chat.expansion.set(key, !isOpen);
    redraw((count) => count + 1);
  };
  return [isOpen, toggle];
}

/** Terminals are not part of their tool's entry, so whoever shows one follows it here. */
export function useTerminal(id: string): Terminal | undefined {
  const { store } = useChat();
  const [terminal, setTerminal] = useState(store.view.transcript.terminals[id]);
  useEffect(() => {
    setTerminal(store.view.transcript.terminals[id]);
    return store.onDidChange((view) => setTerminal(view.transcript.terminals[id]));
  }, [store, id]);
  return terminal;
}
