import { isJsonObject, textOf } from './wire';
import type { Json, JsonObject, Scenario } from './steps';

/** The usual results of an agent that can do everything, with the scenario's changes laid over them. */
export class SessionAnswers {
  private sessionCount = 0;
  private readonly chosen = new Map<string, Json>();

  constructor(private readonly scenario: Scenario) {}

  /** Undefined for a method that no agent serves. */
  resultOf(method: string, params: JsonObject): Json | undefined {
    const usual = this.usualResult(method, params);
    const change = this.scenario.results?.[method];
    if (change === null) {
      return null;
    }
    return isJsonObject(usual) ? { ...usual, ...change } : change;
  }

  private usualResult(method: string, params: JsonObject): Json | undefined {
    switch (method) {
      case 'initialize':
        return initializeResult;
      case 'session/new':
      case 'session/fork':
        return { sessionId: this.newSessionId(), ...this.setup() };
      case 'session/load':
      case 'session/resume':
        return this.setup();
      case 'session/list':
        return this.listPage(params.cursor);
      case 'session/set_config_option':
        this.chosen.set(textOf(params.configId), params.value ?? null);
        return { configOptions: this.setup().configOptions ?? [] };
      case 'session/set_mode':
        this.chosen.set('mode', params.modeId ?? null);
        return {};
      case 'session/prompt':
        return { stopReason: 'end_turn' };
      case 'session/set_title':
        return { title: params.title ?? '' };
      case 'authenticate':
      case 'logout':
      case 'session/set_model':
      case 'session/close':
      case 'session/delete':
      case 'session/archive':
      case 'session/unarchive':
        return {};
      default:
        return undefined;
    }
  }

  private newSessionId(): string {
    this.sessionCount += 1;
    const prefix = this.scenario.sessionPrefix ?? `${this.scenario.name ?? 'scripted'}-`;
    return `${prefix}s${this.sessionCount}`;
  }

  private setup(): JsonObject {
    const currentModeId = this.chosen.get('mode') ?? 'ask';
    const own = this.scenario.configOptions ?? [
      selectOption('mode', ['ask', 'code']),
      selectOption('model', ['small', 'large']),
    ];
    return {
      modes: { currentModeId, availableModes: ['ask', 'code'].map((id) => ({ id, name: id })) },
      configOptions: own.map((option) => {
        const chosen = this.chosen.get(textOf(option.id));
        return chosen === undefined ? option : { ...option, currentValue: chosen };
      }),
    };
  }

  private listPage(cursor: Json | undefined): JsonObject {
    const pages = this.scenario.listPages ?? [[]];
    const index = typeof cursor === 'string' ? Number(cursor.replace('page-', '')) : 0;
    const sessions = pages[index] ?? [];
    if (index + 1 < pages.length) {
      return { sessions, nextCursor: `page-${index + 1}` };
    }
    return this.scenario.listCircle === true ? { sessions, nextCursor: 'page-0' } : { sessions };
  }
}

function selectOption(id: string, values: readonly string[]): JsonObject {
  const options = values.map((value) => ({ value, name: value }));
  return { type: 'select', id, name: id, category: id, currentValue: values[0] ?? '', options };
}

const initializeResult: JsonObject = {
  protocolVersion: 1,
  agentInfo: { name: 'scripted', title: 'Scripted agent', version: '1.0.0' },
  authMethods: [{ id: 'login', name: 'Log in' }],
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, fork: {}, additionalDirectories: {} },
  },
};
