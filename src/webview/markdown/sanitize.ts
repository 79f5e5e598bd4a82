import createDOMPurify, { type Config, type DOMPurify } from 'dompurify';

const config: Config & { readonly RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'div', 'span'],
    ...[
      'strong',
      'b',
      'em',
      'i',
      'del',
      's',
      'ins',
      'u',
      'mark',
      'sub',
      'sup',
      'kbd',
      'samp',
      'var',
      'small',
    ],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'img', 'details', 'summary'],
    ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'src', 'alt', 'start', 'align', 'colspan', 'rowspan', 'class', 'data-task'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|file:|data:image\/|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  RETURN_DOM_FRAGMENT: true,
};

const SAFE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;
/** A map, because attributes may have the names of what every object has. */
const ATTRIBUTE_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['class', /^language-[\w+#.-]+$/],
  ['align', /^(?:left|center|right)$/],
  ['data-task', /^(?:done|open)$/],
  ['start', /^\d{1,9}$/],
  ['colspan', /^\d{1,3}$/],
  ['rowspan', /^\d{1,3}$/],
]);

let purifier: DOMPurify | undefined;

/** Everything that comes from an agent as HTML passes here before it meets the document. */
export function sanitize(html: string): DocumentFragment {
  purifier ??= createPurifier();
  // A frameset takes the place of the body: then there is nothing, whatever the types say.
  const clean = purifier.sanitize(html, config) as DocumentFragment | null;
  return clean ?? document.createDocumentFragment();
}

function createPurifier(): DOMPurify {
  const purify = createDOMPurify(window);
  purify.addHook('uponSanitizeAttribute', (node, event) => {
    const allowed = ATTRIBUTE_VALUES.get(event.attrName);
    if (allowed?.test(event.attrValue) === false) {
      event.keepAttr = false;
    }
    // Remote images would tell their server that they were seen; SVG can carry script.
    if (event.attrName === 'src' && !(node.nodeName === 'IMG' && SAFE_IMAGE.test(event.attrValue))) {
      event.keepAttr = false;
      if (node.nodeName === 'IMG' && !/^data:/i.test(event.attrValue)) {
        node.setAttribute('data-src', event.attrValue);
      }
    }
    if (event.attrName === 'href' && /^data:/i.test(event.attrValue.trim())) {
      event.keepAttr = false;
    }
  });
  return purify;
}
