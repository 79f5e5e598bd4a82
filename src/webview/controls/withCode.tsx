/** One line of an agent's words, with its code between backticks set as code. */
export function WithCode({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/(`[^`]+`)/)
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part.slice(1, -1)}</code> : part))}
    </>
  );
}
