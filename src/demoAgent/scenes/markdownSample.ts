const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mPw77pJEmIY1TCqYfhqAAAv+LIQRl53VwAAAABJRU5ErkJggg==';

/** One of everything that an agent may write. */
export const markdownSample = `# Heading one

Text with **bold**, *italic*, ~~struck~~ words and \`inline code\`.

## Heading two

1. A numbered list
2. with a nested one
   - first
   - second
     - third level

### Task list

- [x] Read this
- [ ] Try \`/edit\`

| Feature | Command | Since |
| :-- | :-: | --: |
| Plan | \`/plan\` | 1 |
| Diff | \`/edit\` | 1 |

\`\`\`js
export function greet(name) {
  return \`Hello, \${name}\`;
}
\`\`\`

\`\`\`python
def greet(name: str) -> str:
    return f"Hello, {name}"
\`\`\`

\`\`\`json
{ "greeting": "Hello", "names": ["Ada", "Grace"] }
\`\`\`

> A quote
> in two lines.

A [link](https://agentclientprotocol.com/), a file reference \`src/greet.js:1\` and a
[link to a file](src/greet.js#L1).

\`\`\`text
A long line: ${'all work and no wrap makes a wide page '.repeat(6).trim()}.
\`\`\`

![A small square](${image})

---

That was all.
`;

/** Markdown of exactly `length` characters. */
export function longMarkdown(length: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let number = 1; size < length; number += 1) {
    const part = section(number);
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, length);
}

function section(number: number): string {
  return `## Section ${number}

The demo agent writes paragraph number ${number}. It is a **script**, so the words repeat, but the client has to
lex, highlight and lay out each of them as if they were new.

- point one of section ${number}
- point two with \`code${number}()\`

\`\`\`js
const section${number} = { title: 'Section ${number}', words: ${number * 7} };
\`\`\`

`;
}
