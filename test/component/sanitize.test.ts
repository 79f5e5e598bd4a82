import assert from 'node:assert/strict';
import { installPage } from '../support/webviewPage';

const png = 'data:image/png;base64,iVBORw0KGgo=';
const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.example/p.png">',
  '![x](https://evil.example/p.png)',
  '<img srcset="https://evil.example/p.png 1x">',
  '<picture><source srcset="https://evil.example/p.png"><img></picture>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '<a href="java&#x0A;script:alert(1)">x</a>',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '<a href="vbscript:x">x</a>',
  '[x](command:workbench.action.quit)',
  '<a href="vscode://file/etc/passwd">x</a>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><use href="data:image/svg+xml,x"/></svg>',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="https://evil.example"><input name=q><button>go</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<textarea>x</textarea><select><option>y</select>',
  '<style>body{display:none}</style>',
  '<p style="position:fixed;inset:0">x</p>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<object data="https://evil.example"></object><embed src="https://evil.example">',
  '<video src="https://evil.example/v" autoplay></video><audio src="https://evil.example/a"></audio>',
  '<div id="root" name="body" class="codicon permission">x</div>',
  '<p data-testid="composer" data-path="/etc/passwd" role="button" aria-label="Allow">x</p>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<details open ontoggle=alert(1)>x</details>',
  '<math href="javascript:alert(1)">x</math>',
  '<a target="_top" ping="https://evil.example" href="https://a.b" onclick=alert(1)>x</a>',
  '```html\n<script>alert(1)</script>\n```',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
];

const ALLOWED_ATTRIBUTES = new Set([
  ...['href', 'title', 'alt', 'src', 'start', 'align', 'colspan', 'rowspan', 'class', 'data-task', 'dir'],
  // Set by us, after what came from the agent was cleaned.
  ...['role', 'aria-label', 'tabindex', 'type', 'data-copy-code', 'data-path', 'data-line'],
  ...['data-language', 'data-code-action', 'aria-pressed'],
]);

describe('what agents may put into the page', () => {
  let show: (source: string) => HTMLElement;
  before(async () => {
    installPage();
    const { StreamingMarkdown } = await import('../../src/webview/markdown/streamingMarkdown');
    show = (source) => {
      const container = document.createElement('div');
      const markdown = new StreamingMarkdown(container, () => undefined);
      markdown.update(source);
      markdown.finish();
      return container;
    };
  });

  for (const payload of hostile) {
    it(`cleans ${JSON.stringify(payload).slice(0, 70)}`, () => {
      const shown = show(`Before\n\n${payload}\n\nafter`);
      const forbidden =
        'script,style,iframe,form,input,textarea,select,option,object,embed,video,audio,base,meta,link,svg,math,template,noscript,picture,source';
      assert.equal(shown.querySelector(forbidden), null, shown.innerHTML);
      for (const element of shown.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
          assert.ok(ALLOWED_ATTRIBUTES.has(name), `${name} in ${shown.innerHTML}`);
          if (name === 'href') {
            assert.match(value, /^(?:https?|mailto):/);
          }
          if (name === 'src') {
            assert.match(value, /^data:image\/(?:png|jpeg|gif|webp);base64,/);
          }
        }
        const isOurButton = element.matches('.code-bar > button');
        assert.ok(element.tagName !== 'BUTTON' || isOurButton, shown.innerHTML);
        assert.ok(!element.classList.contains('permission'));
      }
      assert.notEqual(shown.querySelector('[data-path="/etc/passwd"]')?.tagName, 'P');
    });
  }

  it('keeps images that carry their data, and names the others as links', () => {
    assert.equal(show(`![dot](${png})`).querySelector('img')?.getAttribute('src'), png);
    const link = show('![a cat](https://a.example/cat.png)').querySelector('a');
    assert.equal(link?.textContent, 'a cat');
    assert.equal(link.getAttribute('href'), 'https://a.example/cat.png');
  });

  it('draws task boxes itself', () => {
    assert.equal(show('- [x] done').querySelector('[data-task="done"]')?.getAttribute('aria-label'), 'Done');
  });
});
