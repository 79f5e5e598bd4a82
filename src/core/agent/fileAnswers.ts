import { RequestError } from '@agentclientprotocol/sdk/unstable';
import type { FileProblem } from '../ports';

/** Serves a request; what the editor's side could not do is told with the protocol's code for it. */
export async function asFileAnswer(serve: () => Promise<object>): Promise<object> {
  try {
    return await serve();
  } catch (error) {
    throw isFileProblem(error) ? fileError(error) : error;
  }
}

/** By name: the adapter that throws it is in another bundle. */
export function isFileProblem(error: unknown): error is FileProblem {
  return error instanceof Error && error.name === 'FileProblem' && 'kind' in error;
}

function fileError(problem: FileProblem): RequestError {
  switch (problem.kind) {
    case 'notFound':
      return new RequestError(-32002, problem.message);
    case 'invalid':
      return new RequestError(-32602, problem.message);
    case 'refused':
    case 'failed':
      return new RequestError(-32603, problem.message);
  }
}
