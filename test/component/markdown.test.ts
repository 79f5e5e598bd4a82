import assert from 'node:assert/strict';
import { installPage } from '../support/webviewPage';
import type { StreamingMarkdown } from '../../src/webview/markdown/streamingMarkdown';

const documents = [
  'One paragraph.\n\nAnother with `code`, *emphasis* and a [link](https://a.b).\n\n# Heading\n\nEnd',
  '- a\n- b\n\n  still b\n\n    - deeper\n\n- c\n\nText after\n\n1. one\n2. two\n\n10. ten\n',
  'Before\n```ts\nconst a = `x`;\n\n\nlet b = 2;\n```\nAfter\n~~~\n```\nnot closed by that\n~~~\n\nAnd ```inline``` text\n',
  '> quote\n> more\nlazy\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n---\n\nSetext\n===\n\ntext\n---\n\n<div>\n\nhtml *in* between\n\n</div>\n',
  'Windows\r\nline\r\n\r\nbreaks\r\n\r\n```\r\ncode\r\n```\r\n\r\nend\r',
  '[ref]: https://example.com\n\nUse [ref] here.\n\nAnd [later].\n\n[later]: https://later.example\n\nNow [later].\n',
  'open fence at the end\n\n```python\ndef f():\n    return 1\n\nprint(f())\n',
  '- [ ] open\n- [x] done\n\n***bold italic*** ~~gone~~\n\n    indented code\n\n    more of it\n\ntext\n\n\n\n\nfar below\n',
  'a\n\n2\n\n2. list\n\n+ x\n+ y\n\n-\n- z\n\n<!-- comment\n\nover blocks -->\n\nend **unclosed\n\n```',
];

describe('streaming Markdown', () => {
  let create: (container: HTMLElement) => StreamingMarkdown;
  before(async () => {
    installPage();
    const { StreamingMarkdown: Streaming } = await import('../../src/webview/markdown/streamingMarkdown');
    create = (container) => new Streaming(container, () => undefined);
  });

  const atOnce = (source: string): string => {
    const container = document.createElement('div');
    const markdown = create(container);
    markdown.update(source);
    markdown.finish();
    return container.innerHTML;
  };

  it('ends the same however the text was cut', function () {
    this.timeout(30_000);
    const random = generator(20261118);
    for (const source of documents) {
      const whole = atOnce(source);
      for (let round = 0; round < 40; round++) {
        const container = document.createElement('div');
        const markdown = create(container);
        const longest = round < 5 ? 1 : 30;
        const cuts: number[] = [];
        for (let end = 0; end < source.length;) {
          end = Math.min(source.length, end + 1 + Math.floor(random() * longest));
          cuts.push(end);
          markdown.update(source.slice(0, end));
        }
        markdown.finish();
        assert.equal(container.innerHTML, whole, `cut at ${cuts.join(' ')} of ${JSON.stringify(source)}`);
      }
    }
  });

  it('draws a flood over several frames, and ends the same', async () => {
    const source = documents.join('\n\n').repeat(40);
    const container = document.createElement('div');
    const markdown = create(container);
    markdown.updateGradually(source);
    markdown.finish();
    const isBusy = (): boolean => container.ariaBusy === 'true';
    assert.ok(isBusy(), 'all was drawn in one frame');
    while (isBusy()) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    assert.equal(container.innerHTML, atOnce(source));
  });

  it('keeps the element of a block while it grows, so that it appears once', () => {
    const container = document.createElement('div');
    const markdown = create(container);
    const growing = 'One.\n\nTwo grows, *and grows*, and\n| a |';
    const second = (): Element | null => container.querySelector('.md-block:nth-child(2)');
    markdown.update(growing.slice(0, 10));
    const element = second();
    assert.ok(element);
    for (let end = 11; end <= growing.length; end++) {
      markdown.update(growing.slice(0, end));
      assert.equal(second(), element, growing.slice(0, end));
    }
    assert.match(element.textContent, /and grows, and/);
  });

  it('never touches a settled block again', () => {
    const container = document.createElement('div');
    const markdown = create(container);
    let source = 'First **block**.\n\nSecond.\n\n```ts\nlet a = 1;\n```\n\nThird\n\n';
    markdown.update(`${source}Fourth\n\n`);
    const settled = [...container.querySelectorAll('.md-block')].slice(0, 3);
    const inside = settled.map((block) => [...block.querySelectorAll('*')]);
    source = `${source}Fourth\n\n`;
    for (let index = 0; index < 50; index++) {
      source += `Paragraph ${index} with some words.\n\n`;
      markdown.update(source);
    }
    assert.deepEqual(
      [...container.querySelectorAll('.md-block')].slice(0, 3).map((block, at) => block === settled[at]),
      [true, true, true],
    );
    settled.forEach((block, at) => {
      assert.ok([...block.querySelectorAll('*')].every((node, index) => node === inside[at]?.[index]));
    });
    assert.equal(container.querySelectorAll('.md-block').length, 55);
  });

  it('appends to an open fence without building it anew, and colours it when it closes', () => {
    const container = document.createElement('div');
    const markdown = create(container);
    let source = '```ts\nlet a = 1;\n';
    markdown.update(source);
    const code = container.querySelector('code');
    assert.ok(code !== null);
    assert.equal(code.querySelector('[class^="hljs"]'), null);
    for (let line = 0; line < 300; line++) {
      source += `let line${line} = ${line};\n`;
      markdown.update(source);
    }
    assert.equal(container.querySelector('code'), code);
    assert.equal(`\`\`\`ts\n${code.textContent}`, source);
    assert.ok(code.childElementCount > 1, 'the code is kept in chunks');
    markdown.update(`${source}\`\`\`\n`);
    assert.ok(container.querySelectorAll('code .hljs-keyword').length > 100);
  });

  for (const [language, line] of [
    ['js', 'const a = 1;'],
    ['jsx', 'const a = 1;'],
    ['ts', 'const a = 1;'],
    ['c', 'return 1;'],
    ['h', 'return 1;'],
    ['sh', 'if true; then echo; fi'],
    ['py', 'return 1'],
    ['yml', 'a: true'],
  ] as const) {
    it(`colours ${language}`, () => {
      assert.match(atOnce(`\`\`\`${language}\n${line}\n\`\`\``), /hljs-/);
    });
  }

  it('does not guess languages', () => {
    assert.doesNotMatch(atOnce('```\nlet a = 1;\n```'), /hljs/);
    assert.doesNotMatch(atOnce('```nosuch\nlet a = 1;\n```'), /hljs/);
  });

  it('starts over when the text is another one', () => {
    const container = document.createElement('div');
    const markdown = create(container);
    markdown.update('Something long enough to notice.\n\nTwo');
    markdown.update('Else');
    assert.equal(container.textContent.trim(), 'Else');
  });

  for (const [name, piece] of [
    ['many paragraphs', 'Some **words** with `code` and a [link](https://a.b), again and again.\n\n'],
    ['one list that never settles', '- an item of a list that goes on and on\n'],
    ['one paragraph that never ends', 'words that go on and on without a blank line\n'],
  ] as const) {
    it(`costs as much per kilobyte of a long answer as of a short one: ${name}`, function () {
      this.timeout(60_000);
      const costPerKb = (kb: number): number => {
        const source = piece.repeat(Math.ceil((kb * 1024) / piece.length));
        const markdown = create(document.createElement('div'));
        const start = performance.now();
        for (let end = 0; end < source.length; end += 512) {
          markdown.update(source.slice(0, end));
        }
        markdown.update(source);
        markdown.finish();
        markdown.dispose();
        return (performance.now() - start) / kb;
      };
      costPerKb(16);
      const short = Math.min(costPerKb(16), costPerKb(16));
      const long = costPerKb(128);
      // Quadratic work would be eight times as much; the machine is shared, so the bound is loose.
      assert.ok(long < 4 * short, `${long.toFixed(2)} ms/KB against ${short.toFixed(2)}`);
    });
  }

  it('makes places in files links', () => {
    const container = document.createElement('div');
    create(container).update(
      'See `src/a.ts:12`, `console.log`, [b](./lib/b.ts#L7), [c](C:\\x\\c.ts), `a.md`, `x/y`.',
    );
    assert.deepEqual(
      [...container.querySelectorAll<HTMLElement>('a')].map((link) => [link.dataset.path, link.dataset.line]),
      [
        ['src/a.ts', '12'],
        ['lib/b.ts', '7'],
        ['C:/x/c.ts', undefined],
        ['a.md', undefined],
      ],
    );
    assert.equal(container.querySelectorAll('a[href]').length, 0);
  });
});

/** Mulberry32: the same cuts on every machine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
