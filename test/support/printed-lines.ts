/**
 * What README.md prints before anything else, as patterns of the lines that a terminal shows: `…` stands for what is left out, or
 * differs from one time to the next.
 */
export function printedLines(readme: string): readonly RegExp[] {
  const [, text = ''] = /```text\n([^]*?)\n```/.exec(readme) ?? []
  return text.split('\n').map((line) => {
    const parts = line.trim().split('…')
    const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    // Another seed exercises other rules; a busy machine polls before it has acknowledged, and is too late itself to judge.
    const pattern = escaped
      .join('.*')
      .replaceAll(/\d+(?= (?:passed|failed|not exercised))/g, String.raw`\d+`)
      .replace(' failed,', String.raw` failed(?:, \d+ inconclusive)?,`)
    return new RegExp(`^ *${pattern}(?: \\(\\d+ times\\))?$`, 'm')
  })
}
