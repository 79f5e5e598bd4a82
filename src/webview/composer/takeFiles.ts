import type { Attachment } from '../../shared/attachments';
import { contextWords } from './contextWords';
import { nameOf, placeOf } from './attachmentList';

const MAX_IMAGE_BYTES = 10_000_000;
const MAX_TEXT_BYTES = 200_000;
const IMAGES = /^image\/(?:png|jpeg|gif|webp)$/;
/** The first has every file of a drag out of VS Code, the second is everybody's. */
const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];

export interface Taken {
  readonly attachments: readonly Attachment[];
  /** What could not be taken, in words. */
  readonly problems: readonly string[];
}

/** What a paste holds; undefined when it is text, which the text field takes by itself. */
export function pastedFiles(data: DataTransfer | null): readonly File[] | undefined {
  if (data === null || data.files.length === 0) {
    return undefined;
  }
  // Office programs put a picture of the text next to the text.
  const isFormattedText = data.types.includes('text/html') && data.getData('text/plain') !== '';
  return isFormattedText ? undefined : [...data.files];
}

export function canDrop(data: DataTransfer | null): boolean {
  return data?.types.some((type) => type === 'Files' || URI_LISTS.includes(type)) === true;
}

/** Files that a drag names by their addresses: they are read by the host when the prompt is sent. */
export function droppedPaths(data: DataTransfer): readonly Attachment[] {
  const list = URI_LISTS.map((type) => data.getData(type)).find((text) => text !== '') ?? '';
  return list.split(/\r?\n/).flatMap((line) => {
    const place = placeOf(line.trim());
    return place === undefined
      ? []
      : [{ kind: 'file', id: crypto.randomUUID(), name: nameOf(place.path), path: place.path }];
  });
}

/** Reads files whose place in the file system is not known. `refusal` is why images cannot be taken. */
export async function takeFiles(files: readonly File[], refusal: string | undefined): Promise<Taken> {
  const taken = await Promise.all(
    files.map((file) => takeFile(file, refusal).catch(() => contextWords.unreadable(file.name))),
  );
  return {
    attachments: taken.filter((one) => typeof one !== 'string'),
    problems: [...new Set(taken.filter((one) => typeof one === 'string'))],
  };
}

async function takeFile(file: File, refusal: string | undefined): Promise<Attachment | string> {
  const id = crypto.randomUUID();
  if (IMAGES.test(file.type)) {
    if (refusal !== undefined) {
      return refusal;
    }
    if (file.size > MAX_IMAGE_BYTES) {
      return contextWords.imageTooBig(file.name);
    }
    const url = await read(file, 'readAsDataURL');
    const data = typeof url === 'string' ? url.slice(url.indexOf(',') + 1) : '';
    // Browsers call every pasted picture the same.
    const name = file.name === 'image.png' || file.name === '' ? contextWords.pastedImage : file.name;
    return { kind: 'image', id, name, mimeType: file.type, data };
  }
  if (file.size > MAX_TEXT_BYTES) {
    return contextWords.fileTooBig(file.name);
  }
  const bytes = await read(file, 'readAsArrayBuffer');
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  return text === undefined ? contextWords.notText(file.name) : { kind: 'text', id, name: file.name, text };
}

function read(file: File, as: 'readAsDataURL' | 'readAsArrayBuffer'): Promise<string | ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const reader = new window.FileReader();
    reader.onload = () => {
      if (reader.result === null) {
        reject(new Error('Nothing was read.'));
      } else {
        resolve(reader.result);
      }
    };
    reader.onerror = () => reject(reader.error ?? new Error('Reading failed.'));
    reader[as](file);
  });
}

function decode(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
