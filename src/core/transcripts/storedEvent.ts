import { asString, isObject } from '../../shared/json';
import type { TranscriptEvent } from '../../shared/transcript/events';

/** A record, so that it does not compile while a type is missing or too many. */
const known: Readonly<Record<TranscriptEvent['type'], true>> = {
  turnStarted: true,
  turnCancelling: true,
  turnEnded: true,
  messageSteered: true,
  messageChunk: true,
  toolUpserted: true,
  permissionAsked: true,
  permissionAnswered: true,
  elicitationAsked: true,
  elicitationAnswered: true,
  planUpserted: true,
  planRemoved: true,
  noticeAdded: true,
  noticeRemoved: true,
  compactionUpserted: true,
  compactionChunk: true,
  terminalStarted: true,
  terminalOutput: true,
  terminalExited: true,
  commandsChanged: true,
  configChanged: true,
  configValueChanged: true,
  usageChanged: true,
  titleChanged: true,
  cleared: true,
  replayEnded: true,
};

/** We wrote it ourselves; what has to be told apart is only what a newer or older version wrote. */
export function isStoredEvent(value: unknown): value is TranscriptEvent {
  const type = isObject(value) ? asString(value.type) : undefined;
  return type !== undefined && Object.hasOwn(known, type);
}
