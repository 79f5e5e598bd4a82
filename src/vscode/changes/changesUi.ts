import type * as vscode from 'vscode';
import type { Event } from '../../core/base/emitter';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Logger } from '../../core/base/log';
import type { Changes } from '../../core/changes/model';
import type { Session } from '../../core/session/session';
import type { Sessions } from '../../core/session/sessions';
import type { Config } from '../config';
import { ChangeContext } from './changeContext';
import type { EditorChangeFiles } from './changeFiles';
import { ChangeReview } from './changeReview';
import { ChangesDiff } from './changesDiff';
import { ChangesView, type ChangeNode } from './changesView';
import { FollowAgent, type UsedFile } from './follow';
import { HunkLenses } from './hunkLenses';
import { HunkMarks } from './hunkMarks';
import { HunkPlaces } from './hunkPlaces';
import { WatchUser } from './watchUser';

export interface ChangesUiOptions {
  readonly changes: Changes;
  readonly files: Pick<EditorChangeFiles, 'isWriting'>;
  /** From `src/vscode/files`: a write of an agent that is going on. */
  readonly isAgentWriting: (path: string) => boolean;
  readonly onDidUseFile: Event<UsedFile>;
  readonly sessions: Sessions;
  readonly config: Config;
  readonly view: vscode.TreeView<ChangeNode>;
  readonly memento: vscode.Memento;
  readonly isShown: (session: Session) => boolean;
  readonly log: Logger;
}

/** Everything of the editor that shows what agents changed, and hears what the user does to it. */
export class ChangesUi extends DisposableStore {
  readonly review: ChangeReview;
  readonly diff: ChangesDiff;
  readonly places: HunkPlaces;
  readonly tree: ChangesView;

  constructor(options: ChangesUiOptions) {
    super();
    const { changes, files, sessions, config } = options;
    const isAgentWriting = (path: string): boolean => files.isWriting(path) || options.isAgentWriting(path);
    this.review = this.add(new ChangeReview(changes, sessions));
    this.diff = this.add(new ChangesDiff(changes));
    this.places = this.add(new HunkPlaces(changes));
    this.tree = this.add(new ChangesView(changes, sessions, options.view));
    this.add(new HunkMarks(this.places));
    this.add(new HunkLenses(this.places, () => config.showsChangeLenses()));
    this.add(new ChangeContext(changes, options.memento));
    this.add(new WatchUser({ changes, isAgentWriting, log: options.log }));
    this.add(
      new FollowAgent({
        sessions,
        onDidUseFile: options.onDidUseFile,
        isAgentWriting,
        isEnabled: () => config.followsAgent(),
        isShown: options.isShown,
      }),
    );
  }
}
