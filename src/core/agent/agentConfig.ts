import * as z from 'zod';
import { ParleyError } from '../base/errors';

const stringMap = z.record(z.string(), z.string());

const localAgent = z.object({
  name: z.string().min(1).optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: stringMap.default({}),
  cwd: z.string().min(1).optional(),
});

export type LocalAgent = z.infer<typeof localAgent>;

/** One entry of `parley.agents`, as the user wrote it. The error names the key and what is wrong with it. */
export function checkAgentEntry(id: string, entry: unknown): LocalAgent {
  const parsed = localAgent.safeParse(entry);
  if (!parsed.success) {
    throw new ParleyError(
      'invalidConfig',
      `The setting parley.agents has a problem in "${id}": ${describe(parsed.error)}. Correct it in the settings.`,
    );
  }
  return parsed.data;
}

function describe(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`))
    .join('; ');
}
