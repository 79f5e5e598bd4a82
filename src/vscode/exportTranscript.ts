import * as vscode from 'vscode';
import { exportMarkdown } from '../core/transcripts/exportMarkdown';
import type { Session } from '../core/session/session';

/** Opens the conversation as a Markdown document, to be read, saved or sent on. */
export async function exportTranscript(session: Session): Promise<void> {
  const document = await vscode.workspace.openTextDocument({
    content: markdownOf(session),
    language: 'markdown',
  });
  await vscode.window.showTextDocument(document);
}

/** Puts the same into the clipboard. */
export async function copyTranscript(session: Session): Promise<void> {
  await vscode.env.clipboard.writeText(markdownOf(session));
  vscode.window.setStatusBarMessage(vscode.l10n.t('The conversation was copied as Markdown.'), 3000);
}

function markdownOf(session: Session): string {
  return exportMarkdown(session.transcript, session.title, session.record.agentName);
}
