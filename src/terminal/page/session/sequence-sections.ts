/** The sequence of a session: one diagram, or several one below the other that are folded by time. */
import { clockOf } from '../../../core/engine/instant.ts'
import type { FoldedExchange } from './fold-polls.ts'
import type { PreparedReport } from './prepare-report.ts'
import { sequenceDiagram } from './sequence-diagram.ts'

/** Calls of one diagram at most. */
const maxCalls = 100

function chunksOf(rows: readonly FoldedExchange[]): readonly (readonly FoldedExchange[])[] {
  const chunks: (readonly FoldedExchange[])[] = []
  for (let from = 0; from < rows.length; from += maxCalls)
    chunks.push(rows.slice(from, from + maxCalls))
  return chunks
}

export function sequenceSections({ rows, hrefOf, arrowIdOf, slotOf }: PreparedReport): string {
  const chunks = chunksOf(rows)
  const diagrams = chunks.map((chunk) => {
    const [first, last] = [chunk[0], chunk.at(-1)]
    if (!first || !last) return ''
    const span = `${clockOf(Math.floor(first.exchange.startedAt))} to ${clockOf(Math.floor(last.last.startedAt))}`
    const range = `#${first.exchange.seq} to #${last.last.seq}`
    const diagram = sequenceDiagram(chunk, {
      hrefOf,
      idOf: arrowIdOf,
      labelOf: slotOf,
      about: `sequence of ${range}`,
    })
    const isOpen = chunks.length === 1 && chunk.length <= 40 ? ' open' : ''
    return `<details${isOpen}><summary>${span} <span class="facts">${range}</span></summary>${diagram}</details>`
  })
  return diagrams.length === 0 ? '' : `<h2>Sequence</h2>${diagrams.join('\n')}`
}
