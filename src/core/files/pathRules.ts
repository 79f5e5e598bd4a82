import * as nodePath from 'node:path';
import { FileProblem } from '../ports';

/** Longer than any file system takes; refused before it reaches one. */
const MAX_PATH_CHARS = 32_767;

/** Throws for what is no absolute path of a plain file; else the path without `.` and `..`. */
export function normalPath(file: string, platform: NodeJS.Platform = process.platform): string {
  const path = pathOf(platform);
  if (file.includes('\0')) {
    throw new FileProblem('invalid', 'A path cannot hold a NUL character.');
  }
  if (file.length > MAX_PATH_CHARS) {
    throw new FileProblem('invalid', `The path is too long: ${file.slice(0, 100)}…`);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) {
    throw new FileProblem('invalid', `This is an address. Give an absolute path instead: ${file}`);
  }
  if (!path.isAbsolute(file) || (platform === 'win32' && !/^([a-z]:[\\/]|[\\/]{2}[^\\/])/i.test(file))) {
    throw new FileProblem('invalid', `The path must be absolute: ${file}`);
  }
  if (platform === 'win32') {
    checkWindowsNames(file);
  }
  return path.resolve(file);
}

/** Whether a path is the folder itself or below it. Both normal, and of the same spelling. */
export function isInside(
  folder: string,
  file: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const path = pathOf(platform);
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** On another machine, which is told who we are as soon as we look: decided by its name alone. */
export function isRemote(file: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/]{2}/.test(file);
}

/** Windows reads these as something else than they say: devices, streams, and names without their last dots. */
function checkWindowsNames(file: string): void {
  if (/^[\\/]{2}[?.][\\/]/.test(file)) {
    throw new FileProblem('invalid', `Paths of devices are not served: ${file}`);
  }
  for (const name of file.replace(/^[a-z]:/i, '').split(/[\\/]+/)) {
    const isDevice = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i.test(name);
    const isDots = name === '.' || name === '..';
    if (isDevice || name.includes(':') || (!isDots && /[. ]$/.test(name))) {
      throw new FileProblem('invalid', `Windows does not take this name as it is: ${name}`);
    }
  }
}

function pathOf(platform: NodeJS.Platform): nodePath.PlatformPath {
  return platform === 'win32' ? nodePath.win32 : nodePath.posix;
}
