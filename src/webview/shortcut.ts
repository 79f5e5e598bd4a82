/** As in package.json, where these commands have their keys; a test holds the two together. */
export const shortcuts = {
  'parley.goToQuestion': { key: 'ctrl+alt+g', mac: 'cmd+alt+g' },
  'parley.allowPermission': { key: 'ctrl+alt+y', mac: 'cmd+alt+y' },
  'parley.rejectPermission': { key: 'ctrl+alt+n', mac: 'cmd+alt+n' },
  'parley.stopTurn': { key: 'ctrl+escape', win: 'alt+backspace', mac: 'cmd+escape' },
} as const;

const MAC_SIGNS: Readonly<Record<string, string>> = { ctrl: '⌃', shift: '⇧', alt: '⌥', cmd: '⌘' };
/** Apple's order. */
const MAC_ORDER = Object.keys(MAC_SIGNS);

/** The key of a command, as the platform writes it. */
export function shortcut(command: keyof typeof shortcuts): string {
  const keys: { readonly key: string; readonly win?: string; readonly mac: string } = shortcuts[command];
  const { platform } = navigator;
  if (/mac/i.test(platform)) {
    return onMac(keys.mac);
  }
  const key = /win/i.test(platform) ? (keys.win ?? keys.key) : keys.key;
  return key.split('+').map(capitalized).join('+');
}

function onMac(key: string): string {
  const parts = key.split('+');
  const modifiers = MAC_ORDER.filter((name) => parts.includes(name)).map((name) => MAC_SIGNS[name]);
  return modifiers.join('') + capitalized(parts.at(-1) ?? '');
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
