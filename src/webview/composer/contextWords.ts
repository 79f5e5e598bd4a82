/** Words of what goes along with a prompt. */
export const contextWords = {
  attachHint: ', @ for context',
  attachFiles: 'Attach files…',
  attached: 'Attached',
  context: 'Context',
  remove: (name: string) => `Remove ${name}`,
  attachmentCount: (count: number) => `${count} attached`,
  dropHere: 'Drop to attach',
  takesNoImages: (agent: string) => `${agent} takes no images.`,
  imageLeftOut: (agent: string) => `${agent} takes no images, so this one will be left out.`,
  imageTooBig: (name: string) => `${name} is over 10 MB. Attach a smaller image.`,
  fileTooBig: (name: string) => `${name} is over 200 KB. Use @ to attach it from the workspace.`,
  notText: (name: string) => `${name} is neither text nor an image that agents take.`,
  unreadable: (name: string) =>
    `${name} could not be read. Use @ to attach files and folders of the workspace.`,
  pastedImage: 'Pasted image',
  lines: (first: number, last: number) => (first === last ? `${first}` : `${first}-${last}`),
} as const;
