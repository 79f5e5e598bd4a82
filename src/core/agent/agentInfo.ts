import type { SignInMethod } from '../base/errors';
import { asNumber, asObject, asObjects, asString, isObject, type JsonObject } from '../../shared/json';

/** What an agent says of itself in `initialize`, normalised. */
export interface AgentInfo {
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly SignInMethod[];
}

export interface AgentCapabilities {
  readonly load: boolean;
  readonly list: boolean;
  readonly resume: boolean;
  readonly fork: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly ready: boolean;
  readonly steering: boolean;
  readonly additionalDirectories: boolean;
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
  /** Infinite unless the agent says otherwise. */
  readonly imageLimits: ImageLimits;
}

export interface ImageLimits {
  readonly bytes: number;
  readonly perTurn: number;
}

export function readProtocolVersion(response: unknown): number | undefined {
  return asNumber(asObject(response).protocolVersion);
}

export function readAgentInfo(response: unknown): AgentInfo {
  const { agentInfo, agentCapabilities, authMethods, _meta } = asObject(response);
  const info = asObject(agentInfo);
  const capabilities = asObject(agentCapabilities);
  const session = asObject(capabilities.sessionCapabilities);
  const prompt = asObject(capabilities.promptCapabilities);
  return {
    name: asString(info.name),
    title: asString(info.title),
    version: asString(info.version),
    capabilities: {
      load: capabilities.loadSession === true,
      list: isOffered(session.list),
      resume: isOffered(session.resume),
      fork: isOffered(session.fork),
      close: isOffered(session.close),
      delete: isOffered(session.delete),
      ready: isOffered(asObject(capabilities.session).ready) || isOffered(session.ready),
      steering: asObject(asObject(_meta).steering).supported === true,
      additionalDirectories: isOffered(session.additionalDirectories),
      image: prompt.image === true,
      audio: prompt.audio === true,
      embeddedContext: prompt.embeddedContext === true,
      imageLimits: readImageLimits(capabilities),
    },
    authMethods: readAuthMethods(authMethods),
  };
}

export function readAuthMethods(value: unknown): readonly SignInMethod[] {
  return asObjects(value).flatMap((method) => {
    const id = asString(method.id);
    if (id === undefined) {
      return [];
    }
    return [
      {
        id,
        name: asString(method.name) ?? id,
        description: asString(method.description),
        type: authType(method),
      },
    ];
  });
}

function authType(method: JsonObject): SignInMethod['type'] {
  const meta = asObject(method._meta);
  const needsTerminal =
    method.type === 'terminal' || isObject(meta['terminal-auth']) || meta.type === 'terminal';
  return needsTerminal ? 'terminal' : 'agent';
}

/** A convention of Qwen's. */
function readImageLimits(capabilities: JsonObject): ImageLimits {
  const { maxBytes, maxImagesPerTurn } = asObject(asObject(capabilities._meta).imageCapability);
  return { bytes: asNumber(maxBytes) ?? Infinity, perTurn: asNumber(maxImagesPerTurn) ?? Infinity };
}

/** `{}` and `true` offer a thing; absence, `null` and `false` do not. */
function isOffered(value: unknown): boolean {
  return value === true || isObject(value);
}
