import * as vscode from 'vscode';
import { searchTranscript } from '../core/transcripts/searchTranscript';
import type { Session } from '../core/session/session';
import type { Sessions } from '../core/session/sessions';

interface SessionItem extends vscode.QuickPickItem {
  readonly session: Session;
}

/** Fewer letters stand in every conversation. */
const SEARCH_FROM = 3;
const PAUSE_MS = 150;

/** Lets the user choose a session by its title, its agent or anything that was said in it. */
export async function searchSessions(sessions: Sessions, query: string): Promise<Session | undefined> {
  const pick = vscode.window.createQuickPick<SessionItem>();
  pick.placeholder = vscode.l10n.t('Title, agent, or words of the conversation');
  pick.matchOnDescription = true;
  const all = sessions.all();
  pick.items = all.map((session) => itemOf(session, undefined));
  let search = 0;
  const look = async (value: string): Promise<void> => {
    const own = ++search;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const items: SessionItem[] = [];
    for (const session of all) {
      if (own !== search) {
        return;
      }
      const isShort = value.trim().length < SEARCH_FROM;
      items.push(itemOf(session, isShort ? undefined : await findIn(sessions, session, value)));
    }
    if (own === search) {
      pick.items = items;
      pick.busy = false;
    }
  };
  pick.onDidChangeValue((value) => {
    pick.busy = true;
    void look(value);
  });
  const picked = new Promise<Session | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      // Enter while the search has found nothing yet must not end it.
      if (chosen !== undefined) {
        resolve(chosen.session);
      }
    });
    pick.onDidHide(() => resolve(undefined));
  });
  pick.value = query;
  pick.show();
  if (query !== '') {
    void look(query);
  }
  try {
    return await picked;
  } finally {
    search += 1;
    pick.dispose();
  }
}

async function findIn(sessions: Sessions, session: Session, query: string): Promise<string | undefined> {
  // One log that cannot be read must not spoil the search in the others.
  await sessions.loadTranscript(session).catch(() => undefined);
  return searchTranscript(session.transcript, query);
}

function itemOf(session: Session, found: string | undefined): SessionItem {
  return {
    label: session.title,
    description: session.record.agentName,
    detail: found ?? new Date(session.record.lastActiveAt).toLocaleString(),
    // VS Code would hide a session whose title does not match.
    alwaysShow: found !== undefined,
    session,
  };
}
