import * as vscode from 'vscode';
import { exportMarkdown } from '../core/session/exportMarkdown';
import type { Session } from '../core/session/session';

/** Opens the conversation as a Markdown document, to be read, saved or sent on. */
export async function exportTranscript(session: Session): Promise<void> {
  const content = exportMarkdown(session.transcript, session.title, session.record.agentName);
  const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
  await vscode.window.showTextDocument(document);
}
