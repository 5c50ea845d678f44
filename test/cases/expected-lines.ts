/** Compares what a case printed with its expected lines, of which those between slashes are regular expressions. */

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n')

function fits(line: string | undefined, expected: string): boolean {
  const [, source] = /^\/(.*)\/$/.exec(expected) ?? []
  if (line === undefined || source === undefined) return line === expected
  return new RegExp(source).test(line)
}

/** The first line that differs, with everything that was printed; undefined where all lines fit. */
export function deviationOf(printed: string, expected: string): string | undefined {
  const lines = linesOf(printed)
  const wanted = linesOf(expected)
  const at = Array.from(
    { length: Math.max(lines.length, wanted.length) },
    (_, index) => index,
  ).find((index) => !(index in wanted) || !fits(lines[index], wanted[index]!))
  if (at === undefined) return undefined
  return [
    `  line ${at + 1} should be: ${wanted[at] ?? '(nothing)'}`,
    ...lines.map((line) => `  | ${line}`),
    '',
  ].join('\n')
}
