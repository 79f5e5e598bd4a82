/** As it is named from a folder on; a path that is not in it stays as it is. */
export function relativePath(folder: string, path: string): string {
  const separator = folder.includes('/') ? '/' : '\\';
  const prefix = folder.endsWith(separator) ? folder : `${folder}${separator}`;
  return folder !== '' && path.startsWith(prefix) && path !== prefix ? path.slice(prefix.length) : path;
}
