import { strings } from '../strings';
import type { Usage } from '../../shared/transcript/model';

const RADIUS = 6;
const LENGTH = 2 * Math.PI * RADIUS;

/** How full the agent's context is. */
export function UsageRing({ usage }: { readonly usage: Usage }) {
  const share = usage.size > 0 ? Math.min(1, usage.used / usage.size) : 0;
  const words = strings.usage(usage.used, usage.size, usage.cost);
  const level = share > 0.9 ? 'high' : 'normal';
  return (
    <span
      class={`usage ${level}`}
      data-testid="usage"
      data-used={usage.used}
      data-size={usage.size}
      role="img"
      tabIndex={0}
      aria-label={words}
      title={words}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle class="usage-track" cx="8" cy="8" r={RADIUS} />
        <circle
          class="usage-value"
          cx="8"
          cy="8"
          r={RADIUS}
          transform="rotate(-90 8 8)"
          stroke-dasharray={`${share * LENGTH} ${LENGTH}`}
        />
      </svg>
    </span>
  );
}
