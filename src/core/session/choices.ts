import type { ConfigOption } from '../../shared/transcript/model';

/** Which mode and model are chosen: worth knowing when the session is only a row in a list. */
export function chosenOptions(config: readonly ConfigOption[]): {
  readonly modeId: string | undefined;
  readonly modelId: string | undefined;
} {
  const chosen = (category: string): string | undefined => {
    const option = config.find((candidate) => candidate.category === category);
    return option?.input.type === 'select' ? option.input.value : undefined;
  };
  return { modeId: chosen('mode'), modelId: chosen('model') };
}
