import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutData, type Attachment } from '../../shared/attachments';
import { asError } from '../base/errors';
import type { Logger } from '../base/log';

/**
 * What attached images hold. Drafts and queues are stored at every pause in typing, and images are megabytes: their
 * data is written once, to a file of its own, and goes when nobody holds it any more.
 */
export class AttachmentData {
  private readonly data = new Map<string, string>();
  private readonly holders = new Map<string, ReadonlySet<string>>();
  private isTidyDue = false;

  constructor(
    private readonly folder: string,
    private readonly log: Logger,
  ) {}

  /** What the holder has to store from now on: the attachments without their data, which is kept here. */
  keep(holder: string, attachments: readonly Attachment[]): readonly Attachment[] {
    const images = attachments.filter((attachment) => attachment.kind === 'image');
    for (const { id, data } of images) {
      if (data !== '' && !this.data.has(id)) {
        this.data.set(id, data);
        this.write(id, data);
      }
    }
    this.holders.set(holder, new Set(images.map(({ id }) => id)));
    this.tidySoon();
    return attachments.map(withoutData);
  }

  /** With their data again; an image whose data is lost is left out. */
  filled(attachments: readonly Attachment[]): readonly Attachment[] {
    return attachments.flatMap((attachment) => {
      if (attachment.kind !== 'image' || attachment.data !== '') {
        return [attachment];
      }
      const data = this.data.get(attachment.id) ?? this.read(attachment.id);
      return data === undefined ? [] : [{ ...attachment, data }];
    });
  }

  /** Removes what earlier windows have left, once everybody has said what they hold. */
  removeLeftovers(): void {
    const held = new Set([...this.held()].map(nameOf));
    try {
      readdirSync(this.folder)
        .filter((name) => !held.has(name))
        .forEach((name) => rmSync(join(this.folder, name), { force: true }));
    } catch (error) {
      this.log.debug(`No images are stored: ${asError(error).message}`);
    }
  }

  /** Not at once: what is sent goes from the draft to the queue. */
  private tidySoon(): void {
    if (this.isTidyDue) {
      return;
    }
    this.isTidyDue = true;
    queueMicrotask(() => {
      this.isTidyDue = false;
      const held = this.held();
      for (const id of [...this.data.keys()].filter((known) => !held.has(known))) {
        this.data.delete(id);
        rmSync(this.fileOf(id), { force: true });
      }
    });
  }

  private held(): ReadonlySet<string> {
    return new Set([...this.holders.values()].flatMap((ids) => [...ids]));
  }

  private write(id: string, data: string): void {
    try {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(this.fileOf(id), data);
    } catch (error) {
      this.log.warn(`An image could not be stored; a reload will lose it: ${asError(error).message}`);
    }
  }

  private read(id: string): string | undefined {
    try {
      const data = readFileSync(this.fileOf(id), 'utf8');
      this.data.set(id, data);
      return data;
    } catch (error) {
      this.log.warn(`An attached image is lost: ${asError(error).message}`);
      return undefined;
    }
  }

  private fileOf(id: string): string {
    return join(this.folder, nameOf(id));
  }
}

function nameOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 40);
}
