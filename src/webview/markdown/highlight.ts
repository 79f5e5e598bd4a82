import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { cssLanguage } from './cssLanguage';

/** Colouring is linear but slow; beyond this it would be felt as a pause. */
const HIGHLIGHT_CHARS = 64_000;

/** C and JavaScript are coloured as the languages that contain them: their own grammars would cost 11 KB more. */
const languages = {
  bash,
  c: cpp,
  cpp,
  csharp,
  css: cssLanguage,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript: typescript,
  json,
  kotlin,
  markdown,
  php,
  powershell,
  python,
  ruby,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};

for (const [name, language] of Object.entries(languages)) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases(['js', 'jsx', 'mjs', 'cjs'], { languageName: 'javascript' });
hljs.registerAliases(['h'], { languageName: 'c' });
hljs.registerAliases(['scss', 'less'], { languageName: 'css' });

/** Fills `code` with coloured text. Languages are never guessed. */
export function highlightInto(code: HTMLElement, text: string, language: string): void {
  if (text.length > HIGHLIGHT_CHARS || hljs.getLanguage(language) === undefined) {
    code.textContent = text;
    return;
  }
  code.innerHTML = highlighted(text, language);
}

/** The same, by lines; undefined for a language that is not known. What spans several lines is closed at each end. */
export function highlightLines(text: string, language: string): readonly string[] | undefined {
  if (hljs.getLanguage(language) === undefined) {
    return undefined;
  }
  const open: string[] = [];
  return highlighted(text, language)
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => {
      const start = open.join('');
      for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
        if (tag === '</span>') {
          open.pop();
        } else {
          open.push(tag);
        }
      }
      return start + line + '</span>'.repeat(open.length);
    });
}

/** Extensions are names of languages, too; files such as `Dockerfile` are named for theirs. */
export function languageOfPath(path: string): string {
  return /[^./\\]*$/.exec(path)?.[0].toLowerCase() ?? '';
}

function highlighted(text: string, language: string): string {
  // highlight.js escapes the text itself and adds nothing but <span class="hljs-…">.
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}
