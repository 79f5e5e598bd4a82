const byExtension: Readonly<Record<string, string>> = {
  c: 'text/x-c',
  cpp: 'text/x-c++',
  cs: 'text/x-csharp',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  go: 'text/x-go',
  html: 'text/html',
  java: 'text/x-java',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  jsx: 'text/jsx',
  md: 'text/markdown',
  mjs: 'text/javascript',
  pdf: 'application/pdf',
  php: 'text/x-php',
  png: 'image/png',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  rs: 'text/x-rust',
  sh: 'text/x-shellscript',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/typescript',
  tsx: 'text/tsx',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** By the name alone; undefined when the name does not tell. */
export function mimeTypeOf(path: string): string | undefined {
  const dot = path.lastIndexOf('.');
  return dot < 0 ? undefined : byExtension[path.slice(dot + 1).toLowerCase()];
}

/** Images every agent that takes images can be sent. */
export function imageTypeOf(path: string): string | undefined {
  const type = mimeTypeOf(path);
  return type !== undefined && /^image\/(?:png|jpeg|gif|webp)$/.test(type) ? type : undefined;
}

/** Undefined for what is not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 8000).includes(0)) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
