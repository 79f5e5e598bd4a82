import { useRef } from 'preact/hooks';
import type { ElicitationAnswer } from '../../shared/protocol';
import { strings } from '../strings';
import type { ElicitationEntry } from '../../shared/transcript/model';
import { currentSessionId, inSession, useChat } from '../chatContext';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { useFocusHandover } from '../useFocusHandover';
import { ElicitationForm } from './elicitationForm';
import { GivenAnswer } from './givenAnswer';

export function ElicitationRow({ entry }: { readonly entry: ElicitationEntry }) {
  const chat = useChat();
  const reply = (answer: ElicitationAnswer) => {
    chat.forms.delete(inSession(chat, entry.id));
    chat.post({ type: 'answerElicitation', sessionId: currentSessionId(chat), id: entry.id, answer });
  };
  const { request } = entry;
  const isOpen = entry.outcome === undefined;
  const agentName = chat.store.view.state?.session?.agentName;
  return (
    <div class="entry elicitation" data-entry={entry.id} data-kind="elicitation" data-outcome={entry.outcome}>
      <div
        class="permission"
        role="group"
        aria-label={strings.question}
        data-question={isOpen ? 'open' : 'answered'}
        tabIndex={-1}
      >
        {agentName !== undefined && <div class="asked-by">{strings.askedBy(agentName)}</div>}
        <div class="permission-question">
          <Icon name="question" />
          <span dir="auto">{entry.message}</span>
        </div>
        {isOpen && request.mode === 'form' && (
          <ElicitationForm id={entry.id} title={request.title} fields={request.fields} onReply={reply} />
        )}
        {isOpen && request.mode === 'url' && <UrlQuestion url={request.url} onReply={reply} />}
        {request.mode === 'form' && entry.answer !== undefined && (
          <GivenAnswer fields={request.fields} answer={entry.answer} />
        )}
        {entry.outcome !== undefined && (
          <div class="permission-answer">{strings.elicitationOutcome[entry.outcome]}</div>
        )}
      </div>
    </div>
  );
}

interface UrlQuestionProps {
  readonly url: string;
  readonly onReply: (answer: ElicitationAnswer) => void;
}

/**
 * The whole address is shown, and its host by itself: a look-alike hides in a long path. The host opens it when
 * the answer comes.
 */
function UrlQuestion({ url, onReply }: UrlQuestionProps) {
  const buttons = useRef<HTMLDivElement>(null);
  useFocusHandover(buttons);
  const host = URL.canParse(url) ? new URL(url).host : '';
  const [before, shownHost, after] = cutAtHost(url, host);
  return (
    <>
      <div class="box url-box">
        {host !== '' && <strong>{host}</strong>}
        <span class="url" dir="ltr">
          {before}
          {shownHost !== '' && <mark class="url-host">{shownHost}</mark>}
          {after}
        </span>
      </div>
      {/(?:^|\.)xn--/i.test(host) && (
        <div class="url-warning">
          <Icon name="warning" />
          <span>{strings.punycode}</span>
        </div>
      )}
      <div class="permission-options" ref={buttons}>
        <Button onClick={() => onReply({ action: 'accept', content: {} })}>{strings.openInBrowser}</Button>
        <Button isSecondary onClick={() => onReply({ action: 'decline' })}>
          {strings.decline}
        </Button>
        <Button isSecondary onClick={() => onReply({ action: 'cancel' })}>
          {strings.cancel}
        </Button>
      </div>
    </>
  );
}

/** The host as it is written, which is not where a name before an `@` pretends it to be. */
function cutAtHost(url: string, host: string): readonly [string, string, string] {
  const start = /^[a-z][\w+.-]*:\/\/(?:[^/?#\\]*@)?/i.exec(url)?.[0].length ?? 0;
  const written = url.slice(start, start + host.length);
  return host !== '' && written.toLowerCase() === host
    ? [url.slice(0, start), written, url.slice(start + host.length)]
    : [url, '', ''];
}
