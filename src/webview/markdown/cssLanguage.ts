import type { HLJSApi, Language } from 'highlight.js';

/**
 * By its forms alone: the lists of all tags and properties in highlight.js's own would cost 13 KB. Words are looked
 * at only from their beginning: an agent must not be able to make it slow.
 */
export function cssLanguage(hljs: HLJSApi): Language {
  const { C_BLOCK_COMMENT_MODE, QUOTE_STRING_MODE, APOS_STRING_MODE } = hljs;
  const values = [
    C_BLOCK_COMMENT_MODE,
    QUOTE_STRING_MODE,
    APOS_STRING_MODE,
    { scope: 'number', match: /#[\da-f]{3,8}\b/ },
    { scope: 'variable', match: /--[\w-]+/ },
    { scope: 'built_in', match: /(?<![\w-])[a-z][\w-]*(?=\()/ },
    { scope: 'keyword', match: /!important\b/ },
    { scope: 'number', match: /[+-]?(?:\d*\.)?\d+(?:%|[a-z]+)?/ },
  ];
  return {
    name: 'CSS',
    case_insensitive: true,
    contains: [
      C_BLOCK_COMMENT_MODE,
      QUOTE_STRING_MODE,
      APOS_STRING_MODE,
      { scope: 'keyword', match: /@[\w-]+/ },
      { scope: 'attribute', match: /(?<![\w-])[\w-]+(?=[ \t]*:\s)/ },
      { begin: /:\s/, end: /(?=[;{}])/, contains: values },
      { scope: 'selector-class', match: /\.[a-z_-][\w-]*/ },
      { scope: 'selector-id', match: /#[a-z_-][\w-]*/ },
      { scope: 'selector-tag', match: /(?<![\w:-])[a-z][\w-]*(?=\s*[{,>+~.:#[])/ },
      { scope: 'built_in', match: /::?[a-z][\w-]*/ },
    ],
  };
}
