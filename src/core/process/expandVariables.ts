import { ParleyError } from '../base/errors';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface VariableSource {
  readonly workspaceFolder: string;
  readonly home: string;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
}

/** Expands `${workspaceFolder}`, `${env:NAME}` (empty when unset, as in VS Code) and a leading `~`. */
export function expandVariables(text: string, source: VariableSource): string {
  const expanded = text.replaceAll(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (name === 'workspaceFolder') {
      return source.workspaceFolder;
    }
    if (name.startsWith('env:')) {
      return readVariable(source.env, name.slice('env:'.length), source.platform) ?? '';
    }
    throw new ParleyError(
      'invalidConfig',
      `${whole} in "${text}" is not a variable that Parley knows. Use \${workspaceFolder} or \${env:NAME}.`,
    );
  });
  // Only what was written as a home folder: a value that begins with a tilde stays as it is.
  const isHome =
    text === '~' || text.startsWith('~/') || (source.platform === 'win32' && text.startsWith('~\\'));
  return isHome ? source.home + expanded.slice(1) : expanded;
}

/** Windows does not tell `Path` from `PATH`. */
export function readVariable(env: Environment, name: string, platform: NodeJS.Platform): string | undefined {
  return env[platform === 'win32' ? (spelling(env, name) ?? name) : name];
}

export function mergeEnvironment(
  base: Environment,
  added: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const [name, value] of [...Object.entries(base), ...Object.entries(added)]) {
    if (value !== undefined) {
      merged[platform === 'win32' ? (spelling(merged, name) ?? name) : name] = value;
    }
  }
  return merged;
}

function spelling(env: Environment, name: string): string | undefined {
  const upper = name.toUpperCase();
  return Object.keys(env).find((key) => key.toUpperCase() === upper);
}
