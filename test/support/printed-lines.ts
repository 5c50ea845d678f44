/**
 * What README.md prints before anything else, as patterns of the lines that a terminal shows: `…` stands for what is left out, or
 * differs from one time to the next.
 */
export function printedLines(readme: string): readonly RegExp[] {
  const [, text = ''] = /```text\n([^]*?)\n```/.exec(readme) ?? []
  return text.split('\n').map((line) => {
    const parts = line.trim().split('…')
    const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    // An order of another seed exercises other rules, and a busy machine polls an event again before it is acknowledged.
    const pattern = escaped
      .join('.*')
      .replaceAll(/\d+(?= (?:passed|failed|not exercised))/g, String.raw`\d+`)
    return new RegExp(`^ *${pattern}(?: \\(\\d+ times\\))?$`, 'm')
  })
}
