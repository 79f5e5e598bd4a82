/** As in package.json, where these commands have their keys; a test holds the two together. */
export const shortcuts = {
  'parley.goToQuestion': { key: 'ctrl+alt+g', mac: 'cmd+alt+g' },
  'parley.allowPermission': { key: 'ctrl+alt+y', mac: 'cmd+alt+y' },
  'parley.rejectPermission': { key: 'ctrl+alt+n', mac: 'cmd+alt+n' },
  'parley.toggleToolCalls': { key: 'ctrl+k ctrl+j', mac: 'cmd+k cmd+j' },
  'parley.nextSession': { key: 'ctrl+alt+pagedown', mac: 'cmd+alt+pagedown' },
  'parley.previousSession': { key: 'ctrl+alt+pageup', mac: 'cmd+alt+pageup' },
  'parley.nextChange': { key: 'alt+f6' },
  'parley.previousChange': { key: 'shift+alt+f6' },
  'parley.stopTurn': { key: 'ctrl+escape', win: 'alt+backspace', mac: 'cmd+escape' },
} as const;

const MAC_SIGNS: Readonly<Record<string, string>> = { ctrl: '⌃', shift: '⇧', alt: '⌥', cmd: '⌘' };
const PAGE_KEYS: Readonly<Record<string, string>> = { pageup: 'PageUp', pagedown: 'PageDown' };
/** Apple's order. */
const MAC_ORDER = Object.keys(MAC_SIGNS);

/** The key of a command, as the platform writes it. */
export function shortcut(command: keyof typeof shortcuts): string {
  const keys: { readonly key: string; readonly win?: string; readonly mac?: string } = shortcuts[command];
  const { platform } = navigator;
  if (/mac/i.test(platform)) {
    return chords(keys.mac ?? keys.key, onMac);
  }
  const key = /win/i.test(platform) ? (keys.win ?? keys.key) : keys.key;
  return chords(key, (chord) => chord.split('+').map(written).join('+'));
}

function chords(key: string, write: (chord: string) => string): string {
  return key.split(' ').map(write).join(' ');
}

function onMac(key: string): string {
  const parts = key.split('+');
  const modifiers = MAC_ORDER.filter((name) => parts.includes(name)).map((name) => MAC_SIGNS[name]);
  return modifiers.join('') + written(parts.at(-1) ?? '');
}

function written(name: string): string {
  return PAGE_KEYS[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}
