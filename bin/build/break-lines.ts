/**
 * Breaks minified code into lines: Node prints the line of an uncaught error, which were 100 KB of one line. A line ends before a
 * statement, a member of a class, or a further part of a list after its comma, so what the code means stays the same.
 */
import { parseAst } from 'rolldown/parseAst'

/** A line that is shorter goes on. */
const lineLength = 500

/** Members of a node that list statements, members of a class, or what stands between commas. */
const lists = new Set(
  'body consequent properties elements arguments declarations expressions'.split(' '),
)

/** `return`, `throw` and their like must not be parted from what follows: the first of a list stays with it. */
const isFirstOfCommas = (key: string, index: number): boolean =>
  index === 0 && key !== 'body' && key !== 'consequent'

/** Where a line may begin, in their order. */
function lineStarts(code: string): readonly number[] {
  const starts: number[] = []
  const visit = (node: object): void => {
    // What a template has between its texts is listed as expressions too, without commas.
    const isTemplate = 'type' in node && node.type === 'TemplateLiteral'
    for (const [key, value] of Object.entries(node)) {
      const list: readonly unknown[] = Array.isArray(value) ? value : [value]
      for (const [index, each] of list.entries()) {
        if (typeof each !== 'object' || each === null) continue
        const begins = Array.isArray(value) && lists.has(key) && !isTemplate
        if (begins && !isFirstOfCommas(key, index) && 'start' in each)
          starts.push(Number(each.start))
        visit(each)
      }
    }
  }
  visit(parseAst(code))
  return starts.toSorted((one, two) => one - two)
}

export function breakLines(code: string): string {
  const lines: string[] = []
  let from = 0
  for (const start of lineStarts(code)) {
    if (start - from < lineLength) continue
    lines.push(code.slice(from, start))
    from = start
  }
  return [...lines, code.slice(from)].join('\n')
}
