/** Pages as a terminal shows them: Markdown without its marks, wrapped, and tables that fit. */
import { cellWidth, padToCells, wordWrap } from '../../../terminal/dashboard/view/text/cells.ts'
import { labelledLines } from './clause-text.ts'

export interface TextLayout {
  readonly width: number
  readonly color: boolean
}

/** A fence, a table, a heading, a comment, or a paragraph, which may be an entry of a list. */
const block =
  /^```.*\n(?<code>[^]*?)\n```$|^(?<table>\|.*(?:\n\|.*)*)|^#+ (?<heading>.*)$|^<!--[^]*?-->$|^(?<bullet> *(?:[-*>]|\d+\.) )?(?<text>[^\n]+(?:\n(?! *(?:[-*>] |\d+\. |#+ |\||```|<!--|\n)|$)[^\n]+)*)/gm

/** A table that leaves less for its last column is shown row by row. */
const minLastColumn = 30

/** Without marks that a terminal does not need; code keeps its own. */
export const unmarked = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\((?:[^)]*)\)/g, '$1')
    .replaceAll(/\*\*|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)|\\(?=\|)/g, '')
    .replaceAll(/\s*\n\s*/g, ' ')

const cellsOf = (row: string): readonly string[] =>
  row
    .slice(1, row.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => unmarked(cell.trim()))

/** In columns, the last of which is wrapped; where it has no room, each row as lines of its own. */
function tableLines(table: string, { width, color }: TextLayout): readonly string[] {
  const [head = [], , ...rows] = table.split('\n').map(cellsOf)
  const columns = head.map((_, index) =>
    Math.max(...[head, ...rows].map((row) => cellWidth(row[index] ?? ''))),
  )
  const before = columns.slice(0, -1).reduce((sum, each) => sum + each + 2, 0)
  const last = head.length - 1
  const heading = (text: string): string => (color ? `\u001b[2m${text}\u001b[22m` : text)
  const lineOf = (row: readonly string[]): readonly string[] => {
    const label = row
      .slice(0, last)
      .map((cell, index) => `${padToCells(cell, columns[index] ?? 0)}  `)
    return labelledLines(label.join(''), row[last] ?? '', { width })
  }
  if (width - before >= Math.min(minLastColumn, columns[last] ?? 0))
    return [...lineOf(head).map(heading), ...rows.flatMap(lineOf)]
  return rows.flatMap(([name = '', ...cells]) => [
    ...wordWrap(name, width),
    ...cells.flatMap((cell, index) =>
      cell === '' ? [] : labelledLines(`${head[index + 1] ?? ''}: `, cell, { width, indent: 4 }),
    ),
  ])
}

/** A page as lines of at most this width, but for its code. */
export function docLines(markdown: string, layout: TextLayout): readonly string[] {
  const width = Math.min(layout.width, 100)
  const bold = (text: string): string => (layout.color ? `\u001b[1m${text}\u001b[22m` : text)
  const lines: string[] = []
  let wasItem = false
  for (const { groups = {} } of markdown.replace(/^---\n[^]*?\n---\n/, '').matchAll(block)) {
    const { code, table, heading, bullet = '', text } = groups
    if ((code ?? table ?? heading ?? text) === undefined) continue
    if (lines.length > 0 && !(wasItem && bullet !== '')) lines.push('')
    wasItem = bullet !== ''
    if (code !== undefined) lines.push(...code.split('\n').map((line) => `    ${line}`.trimEnd()))
    else if (table !== undefined) lines.push(...tableLines(table, { ...layout, width }))
    else if (heading !== undefined) lines.push(bold(unmarked(heading)))
    else lines.push(...labelledLines(bullet, unmarked(text ?? ''), { width }))
  }
  return lines
}
