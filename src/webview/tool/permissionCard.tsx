import { useRef } from 'preact/hooks';
import { relativePath } from '../relativePath';
import { strings } from '../strings';
import type { Permission, PermissionOption, ToolEntry } from '../../shared/transcript/model';
import { currentSessionId, useChat, useWorkdir } from '../chatContext';
import { Icon } from '../controls/icon';
import { Markdown } from '../markdown/markdown';
import { shortcut } from '../shortcut';
import { useFocusHandover } from '../useFocusHandover';
import { answerOf } from './permissionAnswer';
import { Json } from './rawData';
import { RuleMenu } from './ruleMenu';
import { ToolBody } from './toolBody';
import { commandOf, diffsOf, planOf, unsaidInputOf } from './toolSummary';

interface PermissionCardProps {
  readonly tool: ToolEntry;
  readonly permission: Permission;
}

/** A question about a tool call: what will happen, in full, and the agent's own answers. */
export function PermissionCard({ tool, permission }: PermissionCardProps) {
  const chat = useChat();
  const card = useRef<HTMLDivElement>(null);
  useFocusHandover(card);
  const workdir = useWorkdir();
  const answer = (option: PermissionOption) => {
    chat.post({
      type: 'answerPermission',
      sessionId: currentSessionId(chat),
      requestId: permission.requestId,
      optionId: option.id,
    });
  };
  const press = (event: KeyboardEvent) => {
    const option = permission.options[Number(event.key) - 1];
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (
      option === undefined ||
      hasModifier ||
      event.repeat ||
      event.isComposing ||
      !/^[1-9]$/.test(event.key)
    ) {
      return;
    }
    event.preventDefault();
    answer(option);
  };
  const primary = permission.options.find((option) => option.kind === 'allow_once') ?? permission.options[0];
  return (
    <div class="permission" ref={card}>
      <div
        class="permission-group"
        role="group"
        aria-label={strings.permission}
        data-question="open"
        tabIndex={-1}
        onKeyDown={press}
      >
        <div class="permission-question">
          <Icon name="shield" />
          <span dir="auto">{questionOf(tool, workdir)}</span>
        </div>
        {tool.toolKind === 'switch_mode' ? <PlanText tool={tool} /> : <ToolBody tool={tool} />}
        <Json label={strings.rawInput} value={unsaidInputOf(tool)} />
        <div class="permission-options">
          {permission.options.map((option, index) => (
            <button
              key={option.id}
              type="button"
              class={`button${option === primary ? '' : ' secondary'}`}
              aria-label={option.name}
              data-option-kind={option.kind}
              data-key-hint={index < 9 ? index + 1 : undefined}
              title={
                index < 9 ? strings.keyHint(option.name, index + 1, keyOf(option, permission)) : option.name
              }
              onClick={() => answer(option)}
            >
              <span>{option.name}</span>
            </button>
          ))}
        </div>
      </div>
      <RuleMenu tool={tool} permission={permission} />
    </div>
  );
}

/** The commands take the first answer of their kind. */
function keyOf(option: PermissionOption, { options }: Permission): string | undefined {
  if (options.find(({ kind }) => kind === option.kind) !== option) {
    return undefined;
  }
  if (option.kind === 'allow_once') {
    return shortcut('parley.allowPermission');
  }
  return option.kind === 'reject_once' ? shortcut('parley.rejectPermission') : undefined;
}

/** What a person reads to approve a plan is the plan: all of it, not a window onto it. */
function PlanText({ tool }: { readonly tool: ToolEntry }) {
  const plan = planOf(tool);
  if (plan === undefined) {
    return <ToolBody tool={tool} />;
  }
  return (
    <div class="plan-text">
      <Markdown text={plan} />
    </div>
  );
}

/** What was answered, once there is nothing more to decide. */
export function PermissionAnswer({ permission }: { readonly permission: Permission }) {
  const words = answerOf(permission);
  return words === undefined ? null : <div class="permission-answer">{words}</div>;
}

function questionOf(tool: ToolEntry, workdir: string): string {
  if (tool.toolKind === 'switch_mode' && planOf(tool) !== undefined) {
    return strings.askPlan;
  }
  const files = new Set(diffsOf(tool).map((diff) => relativePath(workdir, diff.path)));
  if (commandOf(tool) !== undefined) {
    return strings.askRun;
  }
  if (files.size > 0) {
    return strings.askChange([...files]);
  }
  return strings.askTool(tool.toolKind, tool.title === '' ? (tool.name ?? '') : tool.title);
}
