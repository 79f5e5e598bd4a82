import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RuleScope } from '../../shared/protocol';
import { relativePath } from '../relativePath';
import { strings } from '../strings';
import { commandFolderOf, isPlainCommand } from '../../shared/transcript/command';
import type { Permission, ToolEntry } from '../../shared/transcript/model';
import { currentSessionId, useChat, useWorkdir } from '../chatContext';
import { Icon } from '../controls/icon';
import { keepInView } from '../controls/keepInView';
import { nextIndex } from '../controls/listKeys';
import { usePopup } from '../controls/usePopup';
import { commandOf, pathsOf } from './toolSummary';

interface RuleMenuProps {
  readonly tool: ToolEntry;
  readonly permission: Permission;
}

interface Scope {
  readonly scope: RuleScope;
  readonly label: string;
}

/** Makes a standing rule of a question. It is Parley's own, so it stands apart from the agent's answers. */
export function RuleMenu({ tool, permission }: RuleMenuProps) {
  const chat = useChat();
  const workdir = useWorkdir();
  const { isOpen, root, button, toggle, close, openByArrow } = usePopup();
  // The agent's own "always" may mean far more than the rule.
  if (!permission.options.some(({ kind }) => kind === 'allow_once')) {
    return null;
  }
  const pick = (scope: RuleScope) => {
    close();
    chat.post({
      type: 'alwaysAllow',
      sessionId: currentSessionId(chat),
      requestId: permission.requestId,
      scope,
    });
  };
  return (
    <div class="rule-menu" ref={root}>
      <button
        ref={button}
        type="button"
        class="quiet-button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={strings.alwaysAllowTooltip}
        onClick={toggle}
        onKeyDown={openByArrow}
      >
        {strings.alwaysAllow}
        <Icon name="chevron-down" />
      </button>
      {isOpen && <ScopeList scopes={scopesOf(tool, workdir)} onPick={pick} onClose={close} />}
    </div>
  );
}

interface ScopeListProps {
  readonly scopes: readonly Scope[];
  readonly onPick: (scope: RuleScope) => void;
  readonly onClose: () => void;
}

function ScopeList({ scopes, onPick, onClose }: ScopeListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  useLayoutEffect(() => {
    if (list.current !== null) {
      keepInView(list.current);
    }
  }, []);
  useLayoutEffect(() => {
    list.current?.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true });
  }, [active]);
  const press = (event: KeyboardEvent) => {
    const moved = nextIndex(event.key, active, scopes.length);
    if (moved !== undefined) {
      setActive(moved);
    } else if (event.key === 'Escape') {
      onClose();
    } else {
      return;
    }
    event.preventDefault();
    // Escape closes the menu and nothing else.
    event.stopPropagation();
  };
  return (
    <div class="popup picker-popup" ref={list} role="menu" aria-label={strings.alwaysAllow} onKeyDown={press}>
      {scopes.map(({ scope, label }, index) => (
        <button
          key={scope}
          type="button"
          role="menuitem"
          class="option rule-option"
          tabIndex={index === active ? 0 : -1}
          data-active={index === active ? '' : undefined}
          onPointerMove={() => setActive(index)}
          onClick={() => onPick(scope)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function scopesOf(tool: ToolEntry, workdir: string): Scope[] {
  return [
    ...(isRuledCommand(tool, workdir) ? [{ scope: 'command', label: strings.ruleCommand } as const] : []),
    // A rule names one file; for a call that touches several it would not answer.
    ...(pathsOf(tool).length === 1 ? [{ scope: 'path', label: strings.rulePath } as const] : []),
    { scope: 'kind', label: strings.ruleKind(tool.toolKind) },
  ];
}

/** A rule for a command is for its line, in the session's folder: it would not answer for anything else. */
function isRuledCommand(tool: ToolEntry, workdir: string): boolean {
  const folder = commandFolderOf(tool.rawInput) ?? tool.folder ?? workdir;
  const isElsewhere = /^([\\/]|[a-z]:)/i.test(folder) && relativePath(workdir, folder) === folder;
  return (
    commandOf(tool) !== undefined && isPlainCommand(tool.rawInput) && (folder === workdir || !isElsewhere)
  );
}
