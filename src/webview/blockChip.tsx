import { Icon } from './controls/icon';
import { linkTarget, type LinkTarget } from './markdown/links';

interface ChipProps {
  readonly icon: string;
  readonly label: string;
  readonly detail: string;
  /** What it leads to, if that is a file or a page. */
  readonly uri?: string;
}

/** A thing that is named rather than shown. */
export function Chip({ icon, label, detail, uri }: ChipProps) {
  const inside = (
    <>
      <Icon name={icon} />
      <span class="chip-label">{label}</span>
    </>
  );
  const target = uri === undefined ? undefined : linkTarget(uri);
  return target === undefined ? (
    <span class="chip" title={detail}>
      {inside}
    </span>
  ) : (
    <a class="chip" title={detail} role="link" tabIndex={0} {...linkTo(target)}>
      {inside}
    </a>
  );
}

export function FileChip({ uri }: { readonly uri: string }) {
  return <Chip icon="file" label={fileNameOf(uri)} detail={uri} uri={uri} />;
}

function linkTo(target: LinkTarget): Readonly<Record<string, string | number | undefined>> {
  return target.kind === 'url'
    ? { href: target.href }
    : { 'data-path': target.path, 'data-line': target.line };
}

export function fileNameOf(uri: string): string {
  const clean = uri.replace(/[#?].*$/, '').replace(/[\\/]+$/, '');
  return clean.slice(Math.max(clean.lastIndexOf('/'), clean.lastIndexOf('\\')) + 1) || uri;
}
