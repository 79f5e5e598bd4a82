import { asNumber, asObjects, asString, type JsonObject } from './json';

/**
 * What goes along with a prompt, as the composer shows it. The host turns it into content when the prompt is sent:
 * files are read then, so that the agent gets what is in the editor at that moment.
 */
export type Attachment =
  | { readonly kind: 'file'; readonly id: string; readonly name: string; readonly path: string }
  | { readonly kind: 'folder'; readonly id: string; readonly name: string; readonly path: string }
  /** Lines are 1-based and inclusive. */
  | {
      readonly kind: 'selection';
      readonly id: string;
      readonly name: string;
      readonly path: string;
      readonly startLine: number;
      readonly endLine: number;
      /** What they were when they were selected: until it is sent, others may have come to be in their place. */
      readonly text?: string;
    }
  | {
      readonly kind: 'symbol';
      readonly id: string;
      readonly name: string;
      readonly path: string;
      readonly startLine: number;
      readonly endLine: number;
    }
  /** Problems of one file, or of the workspace when there is no path. */
  | {
      readonly kind: 'problems';
      readonly id: string;
      readonly name: string;
      readonly path: string | undefined;
    }
  | { readonly kind: 'changes'; readonly id: string; readonly name: string }
  /** Text from elsewhere: a terminal's selection, a pasted file. */
  | { readonly kind: 'text'; readonly id: string; readonly name: string; readonly text: string }
  | {
      readonly kind: 'image';
      readonly id: string;
      readonly name: string;
      readonly mimeType: string;
      /** Base64; empty where the data is known by the id. */
      readonly data: string;
    };

/** A row of the @ menu. */
export interface ContextSuggestion {
  /** Undefined for the selection of the terminal, which is fetched when it is chosen. */
  readonly attachment: Attachment | undefined;
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
}

/** An image by its id alone, for whoever has its data already: an attachment never changes under its id. */
export function withoutData(attachment: Attachment): Attachment {
  return attachment.kind === 'image' ? { ...attachment, data: '' } : attachment;
}

/** Reads what was stored or sent; what is not an attachment is left out. */
export function readAttachments(value: unknown): readonly Attachment[] {
  return asObjects(value).flatMap((raw) => readAttachment(raw) ?? []);
}

function readAttachment(raw: JsonObject): Attachment | undefined {
  const id = asString(raw.id);
  const name = asString(raw.name);
  if (id === undefined || name === undefined) {
    return undefined;
  }
  const path = asString(raw.path);
  switch (raw.kind) {
    case 'file':
    case 'folder':
      return path === undefined ? undefined : { kind: raw.kind, id, name, path };
    case 'selection':
    case 'symbol': {
      const startLine = asNumber(raw.startLine);
      const endLine = asNumber(raw.endLine);
      if (path === undefined || startLine === undefined || endLine === undefined) {
        return undefined;
      }
      const text = raw.kind === 'selection' ? asString(raw.text) : undefined;
      return {
        kind: raw.kind,
        id,
        name,
        path,
        startLine,
        endLine,
        ...(text === undefined ? {} : { text }),
      };
    }
    case 'problems':
      return { kind: 'problems', id, name, path };
    case 'changes':
      return { kind: 'changes', id, name };
    case 'text': {
      const text = asString(raw.text);
      return text === undefined ? undefined : { kind: 'text', id, name, text };
    }
    case 'image': {
      const mimeType = asString(raw.mimeType);
      const data = asString(raw.data);
      return mimeType === undefined || data === undefined
        ? undefined
        : { kind: 'image', id, name, mimeType, data };
    }
    default:
      return undefined;
  }
}

/** How such a text ends, by which the words behind it are told from it. */
export const ATTACHED_END = '\n\n';
const MARK = /^\[Attached: ([^\n]*)\]\n/;

/** For agents that take no embedded content: text that says what it is, so that a chat can show it as an attachment. */
export function attachedText(name: string, text: string): string {
  return `[Attached: ${name.replaceAll(/[\n\]]/g, ' ')}]\n${text}${ATTACHED_END}`;
}

/** Undefined for what the user wrote. */
export function readAttachedText(text: string): { readonly name: string; readonly text: string } | undefined {
  const name = MARK.exec(text)?.[1];
  return name === undefined ? undefined : { name, text: text.replace(MARK, '').trimEnd() };
}
