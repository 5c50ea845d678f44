/** Prints the status history and the possible moves of an order, account, delivery … as tables. */
import { clockOf } from '../../../core/engine/instant.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import { printTable } from './table.ts'
import type { EntityDetail, EntityPart, Move } from '../../../core/session-api/entities.ts'

export const printStatusHistory = (
  io: Io,
  statusHistory: EntityDetail['statusHistory'],
): Promise<void> =>
  printTable(
    io,
    statusHistory,
    [
      { title: 'STATUS', cell: ({ status }) => status },
      { title: 'AT', cell: ({ at }) => clockOf(at) },
      { title: 'BY', cell: ({ trigger }) => trigger },
    ],
    'it has no status yet',
  )

/** A list within an entity; nothing where it is empty. */
export async function printPart(io: Io, { rows }: EntityPart): Promise<void> {
  const [first] = rows
  if (!first) return
  await printLine(io.stdout, '')
  const columns = Object.keys(first).map((name) => ({
    title: name.toUpperCase(),
    cell: (row: EntityPart['rows'][number]) => row[name],
  }))
  await printTable(io, rows, columns, '')
}

const takesText = ({ takes = [] }: Move): string =>
  takes.map(({ name }) => `--${name}`).join(' ') || '-'

export async function printMoves(io: Io, moves: readonly Move[]): Promise<void> {
  await printLine(io.stdout, '')
  await printTable(
    io,
    moves,
    [
      { title: 'MOVE', cell: ({ trigger }) => trigger },
      { title: 'TO', cell: ({ to }) => to },
      { title: 'BY', cell: ({ by }) => by },
      { title: 'VALID', cell: ({ invalid }) => (invalid === undefined ? 'yes' : 'no') },
      ...(moves.some(({ takes }) => takes) ? [{ title: 'TAKES', cell: takesText }] : []),
    ],
    'no moves are left',
  )
}
