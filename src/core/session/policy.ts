import { asObject, asObjects, asOneOf, asString } from '../../shared/json';
import type { RuleScope } from '../../shared/protocol';
import { commandLineOf } from '../../shared/transcript/command';
import {
  toolKinds,
  type PermissionOption,
  type PermissionOutcome,
  type ToolEntry,
  type ToolKind,
} from '../../shared/transcript/model';
import { Emitter } from '../base/emitter';
import type { Memento } from '../ports';
import { fitsCommand, fitsPath, ruledPath } from './ruleMatching';

/** A standing answer to permission questions. Fields that are absent match everything. */
export interface PermissionRule {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly agent?: string;
  readonly kind?: ToolKind;
  /** Of the whole command line; `*` stands for anything, but in what is allowed not for operators of the shell. */
  readonly command?: string;
  /** Of each file the call touches, relative to the session's folder; `*` stands for anything. */
  readonly path?: string;
}

export interface PermissionSubject {
  readonly agentId: string;
  readonly workdir: string;
  readonly tool: Pick<ToolEntry, 'toolKind' | 'rawInput' | 'content' | 'locations'>;
}

export interface PolicyAnswer {
  readonly decision: 'allow' | 'deny';
  /** In words, to be shown on the call. */
  readonly rule: string;
}

const KEY = 'parley.permissionRules';

/** Rules from the settings and those the user made with "always", which are kept per workspace. */
export class PermissionPolicy {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memento: Memento,
    private readonly settingRules: () => unknown,
  ) {}

  /** Undefined: ask the user. `deny` beats `ask` beats `allow`, wherever they stand. */
  decide(subject: PermissionSubject): PolicyAnswer | undefined {
    const matching = [...this.fromSettings(), ...this.remembered()].filter((rule) => applies(rule, subject));
    const denying = matching.find(({ decision }) => decision === 'deny');
    if (denying !== undefined) {
      return { decision: 'deny', rule: describeRule(denying) };
    }
    const allowing = matching.find(({ decision }) => decision === 'allow');
    if (allowing === undefined || matching.some(({ decision }) => decision === 'ask')) {
      return undefined;
    }
    return { decision: 'allow', rule: describeRule(allowing) };
  }

  fromSettings(): readonly PermissionRule[] {
    return asObjects(this.settingRules()).flatMap((value) => readRule(value) ?? []);
  }

  remembered(): readonly PermissionRule[] {
    return asObjects(asObject(this.memento.get(KEY)).rules).flatMap((value) => readRule(value) ?? []);
  }

  async remember(rule: PermissionRule): Promise<void> {
    await this.store([
      ...this.remembered().filter((known) => describeRule(known) !== describeRule(rule)),
      rule,
    ]);
  }

  async forget(rule: PermissionRule): Promise<void> {
    await this.store(this.remembered().filter((known) => describeRule(known) !== describeRule(rule)));
  }

  private async store(rules: readonly PermissionRule[]): Promise<void> {
    await this.memento.update(KEY, { version: 1, rules });
    this.changed.fire();
  }
}

/** The answer a rule gives to a question; undefined when the question has no such option. */
export function outcomeByRule(
  answer: PolicyAnswer,
  options: readonly PermissionOption[],
): Extract<PermissionOutcome, { kind: 'selected' }> | undefined {
  const kinds =
    answer.decision === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = kinds
    .map((kind) => options.find((candidate) => candidate.kind === kind))
    .find((candidate) => candidate !== undefined);
  return option === undefined ? undefined : { kind: 'selected', optionId: option.id, rule: answer.rule };
}

/** The rule that "always" makes of a question; undefined when the call does not say what it is about. */
export function ruleFor(
  scope: RuleScope,
  { agentId, workdir, tool }: PermissionSubject,
): PermissionRule | undefined {
  const common = { decision: 'allow', agent: agentId, kind: tool.toolKind } as const;
  switch (scope) {
    case 'kind':
      return common;
    case 'command': {
      const command = commandLineOf(tool.rawInput);
      return command === undefined ? undefined : { ...common, command };
    }
    case 'path': {
      const [path] = pathsOf(tool);
      return path === undefined ? undefined : { ...common, path: ruledPath(workdir, path) };
    }
  }
}

export function describeRule(rule: PermissionRule): string {
  const verb = { allow: 'Allow', ask: 'Ask for', deny: 'Deny' }[rule.decision];
  const what = [
    rule.kind === undefined ? undefined : `${rule.kind} calls`,
    rule.command === undefined ? undefined : `the command "${rule.command}"`,
    rule.path === undefined ? undefined : `files "${rule.path}"`,
  ].filter((part) => part !== undefined);
  const who = rule.agent === undefined ? '' : ` of ${rule.agent}`;
  return `${verb} ${what.length === 0 ? 'everything' : what.join(', ')}${who}`;
}

export function pathsOf(tool: PermissionSubject['tool']): readonly string[] {
  const diffs = tool.content.flatMap((content) => (content.kind === 'diff' ? [content.path] : []));
  return [...new Set([...tool.locations.map(({ path }) => path), ...diffs])];
}

function applies(rule: PermissionRule, { agentId, workdir, tool }: PermissionSubject): boolean {
  if (rule.agent !== undefined && rule.agent !== agentId) {
    return false;
  }
  if (rule.kind !== undefined && rule.kind !== tool.toolKind) {
    return false;
  }
  const line = commandLineOf(tool.rawInput) ?? '';
  if (rule.command !== undefined && !fitsCommand(rule.command, line, rule.decision)) {
    return false;
  }
  if (rule.path === undefined) {
    return true;
  }
  const pattern = rule.path;
  const paths = pathsOf(tool);
  // A rule about files says nothing of a call that names none.
  return paths.length > 0 && paths.every((path) => fitsPath(pattern, workdir, path));
}

/** A rule that is not understood is left out: it must not come to mean "everything". */
function readRule(value: Readonly<Record<string, unknown>>): PermissionRule | undefined {
  const decision = asOneOf(value.decision, ['allow', 'ask', 'deny']);
  const kind = asOneOf(value.kind, toolKinds);
  const agent = asString(value.agent);
  const command = asString(value.command);
  const path = asString(value.path);
  const isUnderstood =
    Object.entries({ kind, agent, command, path }).every(
      ([key, read]) => value[key] === undefined || read !== undefined,
    ) && decision !== undefined;
  if (!isUnderstood) {
    return undefined;
  }
  return {
    decision,
    ...(kind === undefined ? {} : { kind }),
    ...(agent === undefined ? {} : { agent }),
    ...(command === undefined ? {} : { command }),
    ...(path === undefined ? {} : { path }),
  };
}
