/** Prints the status history and the possible moves of an order, account, delivery … as tables. */
import { clockOf } from '../engine/instant.ts'
import type { EntityDetail } from '../session-api/session-api.ts'
import { type Io, sayLine } from './io.ts'
import { sayTable } from './table.ts'
import type { Move } from '../session-api/entities.ts'

export const sayWay = (io: Io, way: EntityDetail['way']): Promise<void> =>
  sayTable(
    io,
    way,
    [
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'AT', of: ({ at }) => clockOf(at) },
      { title: 'BY', of: ({ trigger }) => trigger },
    ],
    'it has not begun its way',
  )

export async function sayMoves(io: Io, moves: readonly Move[]): Promise<void> {
  await sayLine(io.stdout, '')
  await sayTable(
    io,
    moves,
    [
      { title: 'MOVE', of: ({ trigger }) => trigger },
      { title: 'TO', of: ({ to }) => to },
      { title: 'BY', of: ({ by }) => by },
      { title: 'LAWFUL', of: ({ illegal }) => (illegal === undefined ? 'yes' : 'no') },
    ],
    'no moves are left',
  )
}
