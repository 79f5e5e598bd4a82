import type { Event } from 'vscode';
import type { Attachment } from '../../shared/attachments';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Session } from '../../core/session/session';
import type { Chat } from './chat';

/** Where a chat is on the screen: the side bar, or an editor tab. */
export interface ChatPlace {
  readonly session: Session | undefined;
  readonly isVisible: boolean;
  /** Brings it to sight. */
  reveal(): Promise<ShownChat>;
}

export type ShownChat = Pick<Chat, 'show' | 'focus' | 'attach' | 'goToQuestion' | 'toggleToolCalls'>;

/** All chats on the screen: which of them the user means, and which shows a session. */
export class Chats extends DisposableStore {
  /** The one that was used last comes first. */
  private places: readonly ChatPlace[];

  constructor(
    private readonly view: ChatPlace & { readonly onDidUse: Event<ChatPlace> },
    tabs: { readonly onDidUse: Event<ChatPlace>; readonly onDidClose: Event<ChatPlace> },
  ) {
    super();
    this.places = [view];
    const use = (place: ChatPlace): void => {
      this.places = [place, ...this.places.filter((other) => other !== place)];
    };
    this.add(view.onDidUse(use));
    this.add(tabs.onDidUse(use));
    this.add(
      tabs.onDidClose((place) => {
        this.places = this.places.filter((other) => other !== place);
      }),
    );
  }

  /** Of the chat that the user means. */
  get currentSession(): Session | undefined {
    return this.byMeaning.find(({ session }) => session !== undefined)?.session;
  }

  /** What the user can see, the chat that was used last first. */
  get sessionsInSight(): readonly Session[] {
    return this.places.flatMap(({ isVisible, session }) =>
      isVisible && session !== undefined ? [session] : [],
    );
  }

  isInSight(session: Session): boolean {
    return this.sessionsInSight.includes(session);
  }

  /** Brings the chat to sight that the user means, and the cursor into its composer. */
  async focus(): Promise<ShownChat> {
    const chat = await (this.byMeaning[0] ?? this.view).reveal();
    chat.focus();
    return chat;
  }

  /** Adds chips to its composer. */
  async attach(attachments: readonly Attachment[]): Promise<void> {
    (await this.focus()).attach(attachments);
  }

  /** Where the session is open already, else in the side bar. */
  async show(session: Session): Promise<ShownChat> {
    const place = this.byMeaning.find((other) => other.session === session);
    const chat = await (place ?? this.view).reveal();
    if (place === undefined) {
      chat.show(session);
    }
    return chat;
  }

  /** The focus goes to the oldest question that is open in the session. */
  async goToQuestion(session: Session): Promise<void> {
    (await this.show(session)).goToQuestion();
  }

  async toggleToolCalls(): Promise<void> {
    (await this.current.reveal()).toggleToolCalls();
  }

  private get current(): ChatPlace {
    return this.byMeaning[0] ?? this.view;
  }

  private get byMeaning(): readonly ChatPlace[] {
    return [
      ...this.places.filter(({ isVisible }) => isVisible),
      ...this.places.filter(({ isVisible }) => !isVisible),
    ];
  }
}
