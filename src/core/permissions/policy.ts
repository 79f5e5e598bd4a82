import { asBoolean, asObject, asObjects, asOneOf, asString } from '../../shared/json';
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
import { namedPaths, pathsOf } from './namedPaths';
import { allowsPath, fitsCommand, isAsUsual, ruledPath, stopsPath } from './ruleMatching';

/** A standing answer to permission questions. Fields that are absent match everything. */
export interface PermissionRule {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly agent?: string;
  readonly kind?: ToolKind;
  /**
   * `*` stands for anything. What is allowed is the whole command line, without operators of the shell in what `*`
   * stands for; what is denied or asked for may be any command in it.
   */
  readonly command?: string;
  /**
   * Relative to the session's folder; `*` stands for anything. What is allowed is every file the call touches, what
   * is denied or asked for is any of them.
   */
  readonly path?: string;
  /** `*` is only itself. */
  readonly exact?: boolean;
}

export interface PermissionSubject {
  readonly agentId: string;
  readonly workdir: string;
  /** The folders the session may work in; without them only `workdir`. */
  readonly roots?: readonly string[];
  readonly tool: Pick<ToolEntry, 'toolKind' | 'rawInput' | 'content' | 'locations' | 'folder'>;
}

export interface PolicyAnswer {
  readonly decision: 'allow' | 'deny';
  /** In words, to be shown on the call. */
  readonly rule: string;
}

const KEY = 'parley.permissionRules';
/** Up to version 1 a `*` was taken for a wildcard, though it only ever came from what had been asked. */
const VERSION = 2;

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
    const { version, rules } = asObject(this.memento.get(KEY));
    return asObjects(rules)
      .flatMap((value) => readRule(value) ?? [])
      .map((rule) => (version === VERSION ? rule : asItStands(rule)));
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
    await this.memento.update(KEY, { version: VERSION, rules });
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
  { agentId, workdir, roots = [workdir], tool }: PermissionSubject,
): PermissionRule | undefined {
  const common = { decision: 'allow', agent: agentId, kind: tool.toolKind } as const;
  switch (scope) {
    case 'kind':
      return common;
    case 'command': {
      const command = commandLineOf(tool.rawInput);
      return command === undefined || !isAsUsual(tool, workdir, roots)
        ? undefined
        : asItStands({ ...common, command });
    }
    case 'path': {
      const [path] = pathsOf(tool);
      return path === undefined ? undefined : asItStands({ ...common, path: ruledPath(workdir, path) });
    }
  }
}

/** Only of what was seen, whatever is in it. */
function asItStands(rule: PermissionRule): PermissionRule {
  const hasWildcard = [rule.command, rule.path].some((pattern) => pattern?.includes('*') === true);
  return hasWildcard ? { ...rule, exact: true } : rule;
}

export function describeRule(rule: PermissionRule): string {
  const verb = { allow: 'Allow', ask: 'Ask for', deny: 'Deny' }[rule.decision];
  const exactly = rule.exact === true ? 'exactly ' : '';
  const what = [
    rule.kind === undefined ? undefined : `${rule.kind} calls`,
    rule.command === undefined ? undefined : `${exactly}the command "${rule.command}"`,
    rule.path === undefined ? undefined : `${exactly}files "${rule.path}"`,
  ].filter((part) => part !== undefined);
  const who = rule.agent === undefined ? '' : ` of ${rule.agent}`;
  return `${verb} ${what.length === 0 ? 'everything' : what.join(', ')}${who}`;
}

function applies(rule: PermissionRule, subject: PermissionSubject): boolean {
  return (
    (rule.agent === undefined || rule.agent === subject.agentId) &&
    (rule.kind === undefined || rule.kind === subject.tool.toolKind) &&
    (rule.command === undefined || appliesToCommand(rule, rule.command, subject)) &&
    (rule.path === undefined || appliesToPaths(rule, rule.path, subject))
  );
}

function appliesToCommand(
  rule: PermissionRule,
  pattern: string,
  { workdir, roots = [workdir], tool }: PermissionSubject,
): boolean {
  return (
    fitsCommand(pattern, commandLineOf(tool.rawInput) ?? '', rule) &&
    (rule.decision !== 'allow' || isAsUsual(tool, workdir, roots))
  );
}

function appliesToPaths(
  rule: PermissionRule,
  pattern: string,
  { workdir, roots = [workdir], tool }: PermissionSubject,
): boolean {
  if (rule.decision !== 'allow') {
    return namedPaths(tool).some((path) => stopsPath(pattern, workdir, roots, path, rule));
  }
  const paths = pathsOf(tool);
  // A rule about files says nothing of a call that names none.
  return paths.length > 0 && paths.every((path) => allowsPath(pattern, workdir, path, rule));
}

/** A rule that is not understood is left out: it must not come to mean "everything". */
function readRule(value: Readonly<Record<string, unknown>>): PermissionRule | undefined {
  const decision = asOneOf(value.decision, ['allow', 'ask', 'deny']);
  const kind = asOneOf(value.kind, toolKinds);
  const agent = asString(value.agent);
  const command = asString(value.command);
  const path = asString(value.path);
  const exact = asBoolean(value.exact);
  const isUnderstood =
    Object.entries({ kind, agent, command, path, exact }).every(
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
    ...(exact === true ? { exact } : {}),
  };
}
