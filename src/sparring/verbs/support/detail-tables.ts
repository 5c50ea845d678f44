/** Prints the status history and the possible moves of an order, account, delivery … as tables. */
import { clockOf } from '../../../core/engine/instant.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import { printTable } from './table.ts'
import type { Move, EntityDetail } from '../../../core/session-api/entities.ts'

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
    ],
    'no moves are left',
  )
}
