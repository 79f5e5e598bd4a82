import assert from 'node:assert/strict';
import { Lexer, Parser } from 'marked';
import { markdownSample } from '../../src/demoAgent/scenes/markdownSample';
import type { plainDom as PlainDom } from '../../src/webview/markdown/plainDom';
import type { sanitize as Sanitize } from '../../src/webview/markdown/sanitize';
import { installPage } from '../support/webviewPage';

const plain = [
  'One paragraph\nof *two* lines, **bold *and* italic**, ~~gone~~ and `code <b>`.',
  'A hard  \nbreak, an escape \\* and \\<b\\>, a < b && c > d, "quotes" and \'more\'',
  '# Heading with `code`\n\n###### The last *one*\n\nSetext\n===\n\n---\n',
  '- tight\n- list\n  - nested **bold**\n  - more\n\n    loose\n- end',
  '3. three\n4. four\n\n   - in it\n\n   and after',
  '1) one\n2) two',
  '> a quote\n> in two lines\n>\n> - with a list\n>   > and a quote',
  '<',
  'An & alone, && two of them',
];

/** HTML, links, pictures, tables, tasks and entities are for the HTML parser. */
const rich = [
  'a <b>bold</b> word',
  '<div>\n\nblock\n\n</div>',
  '<script>alert(1)</script>',
  'a [link](https://a.b)',
  'https://a.b',
  '<https://a.b>',
  '![picture](a.png)',
  '| a |\n|---|\n| 1 |',
  '- [ ] task',
  'an &amp; entity &#60;b&#62;',
  '- deep\n  - <img src=x onerror=alert(1)>',
  '> **deep [link](javascript:alert(1))**',
  '<!-- comment -->',
];

describe('plain Markdown', () => {
  let plainDom: typeof PlainDom;
  let sanitize: typeof Sanitize;
  before(async () => {
    installPage();
    ({ plainDom } = await import('../../src/webview/markdown/plainDom'));
    ({ sanitize } = await import('../../src/webview/markdown/sanitize'));
  });

  const html = (content: DocumentFragment): string => {
    const container = document.createElement('div');
    container.append(content);
    return container.innerHTML;
  };
  const directly = (source: string): string | undefined => {
    const content = plainDom(source, new Lexer({ gfm: true }).lex(source));
    return content === undefined ? undefined : html(content);
  };
  const overHtml = (source: string): string =>
    html(sanitize(new Parser().parse(new Lexer({ gfm: true }).lex(source))));

  for (const source of plain) {
    it(`is the same DOM as over HTML: ${JSON.stringify(source)}`, () => {
      assert.equal(directly(source), overHtml(source));
    });
  }

  it('is the same for what is cut from it anywhere, or is left to the HTML parser', () => {
    const source = `${plain.join('\n\n')}\n\n${markdownSample.replace(/```[^]*?```/g, '')}`;
    let count = 0;
    for (let start = 0; start < source.length; start += 7) {
      const piece = source.slice(start, start + 40 + (start % 90));
      const isCode = new Lexer({ gfm: true }).lex(piece).some(({ type }) => type === 'code');
      const content = isCode ? undefined : directly(piece);
      if (content !== undefined) {
        count += 1;
        assert.equal(content, overHtml(piece), JSON.stringify(piece));
      }
    }
    assert.ok(count > 50, `only ${count} pieces were plain`);
  });

  for (const source of rich) {
    it(`is left to the HTML parser: ${JSON.stringify(source)}`, () => {
      assert.equal(directly(source), undefined);
    });
  }

  it('shows code in a list as any other code', () => {
    const shown = directly('1. first\n\n   ```ts\n   let a = 1;\n   ```\n2. second') ?? '';
    assert.match(shown, /class="code-block" data-language="ts"/);
    assert.match(shown, /hljs-keyword/);
  });
});
