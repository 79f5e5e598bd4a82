import type { ClientCapabilities } from '@agentclientprotocol/sdk/unstable';

/** The parts of the client that the scenes may use; an absent capability means no. */
export interface ClientFeatures {
  readonly readsFiles: boolean;
  readonly writesFiles: boolean;
  readonly hasTerminals: boolean;
  readonly showsForms: boolean;
  readonly opensUrls: boolean;
  readonly hasBooleanOptions: boolean;
}

export function clientFeatures(capabilities: ClientCapabilities | undefined): ClientFeatures {
  return {
    readsFiles: capabilities?.fs?.readTextFile === true,
    writesFiles: capabilities?.fs?.writeTextFile === true,
    hasTerminals: capabilities?.terminal === true,
    showsForms: isGiven(capabilities?.elicitation?.form),
    opensUrls: isGiven(capabilities?.elicitation?.url),
    hasBooleanOptions: isGiven(capabilities?.session?.configOptions?.boolean),
  };
}

function isGiven(marker: object | null | undefined): boolean {
  return marker !== undefined && marker !== null;
}
