/** The delivery lifecycle cell by cell: every status, every trigger, and the result by the documents. */
import { describe, expect, test } from 'vitest'
import { LogisticsConduct } from './conduct.ts'
import {
  deliveryLifecycle,
  deliveryStep,
  deliveryTriggers,
  isFinalDeliveryStatus,
  legalDeliveryMoves,
} from './lifecycle.ts'
import { deliveryStatuses } from './status.ts'

const defaults = LogisticsConduct.parse({})

/** Document 3, transcribed by hand: the target, `=` for accepted without effect, `>` for passed, `-` for refused. */
const grid = `
               assign   ready-for-pickup collected  problem    delivered cancel    fail
  PENDING      ASSIGNED PENDING          -          -          -         CANCELLED -
  ASSIGNED     =        ASSIGNED         IN_TRANSIT -          -         CANCELLED -
  IN_TRANSIT   >        >                =          IN_TRANSIT DELIVERED -         FAILED
  DELIVERED    >        >                >          -          =         -         -
  CANCELLED    -        -                -          -          -         =         -
  FAILED       -        -                -          -          -         -         =`

const marks = { applied: '=', passed: '>', refused: '-' } as const

const [head = [], ...rows] = grid
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/\s+/))
const cells = deliveryStatuses.flatMap((status, row) =>
  deliveryTriggers.map((trigger, column) => ({
    status,
    trigger,
    expected: rows[row]?.[column + 1] ?? '',
  })),
)

test('the table has every status and every trigger', () => {
  expect(head).toEqual([...deliveryTriggers])
  expect(rows.map(([status]) => status)).toEqual([...deliveryStatuses])
})

test.each(cells)('$trigger in $status: $expected', ({ status, trigger, expected }) => {
  const step = deliveryStep(status, trigger, defaults)
  expect(step.kind === 'moves' ? step.row.to : marks[step.kind]).toBe(expected)
})

test('[LOG-STA-01] DELIVERED, CANCELLED and FAILED are final: no transition leaves them', () => {
  expect(deliveryStatuses.filter(isFinalDeliveryStatus)).toEqual([
    'DELIVERED',
    'CANCELLED',
    'FAILED',
  ])
  for (const status of deliveryStatuses.filter(isFinalDeliveryStatus))
    expect(legalDeliveryMoves(status, defaults)).toEqual([])
})

test('the legal moves of a status are exactly the cells with a target', () => {
  for (const status of deliveryStatuses)
    expect(
      legalDeliveryMoves(status, defaults)
        .map(({ trigger }) => trigger)
        .toSorted(),
    ).toEqual(
      cells
        .filter((cell) => cell.status === status && /[A-Z]/.test(cell.expected))
        .map(({ trigger }) => trigger)
        .toSorted(),
    )
})

test('every row names a clause, and under one configuration no two rows match the same cell', () => {
  for (const { clause } of deliveryLifecycle) expect(clause).toMatch(/^LOG-[A-Z]+-\d\d$/)
  for (const cancelInTransit of ['refuse', 'cancel', 'fail'] as const) {
    const conduct = LogisticsConduct.parse({ cancelInTransit })
    for (const status of deliveryStatuses) {
      const triggers = legalDeliveryMoves(status, conduct).map(({ trigger }) => trigger)
      expect(new Set(triggers).size).toBe(triggers.length)
    }
  }
})

describe('session options', () => {
  test('[LOG-TEN-01] a cancel in IN_TRANSIT is refused, or leads to CANCELLED or FAILED', () => {
    const outcomes = (['refuse', 'cancel', 'fail'] as const).map((cancelInTransit) => {
      const step = deliveryStep('IN_TRANSIT', 'cancel', LogisticsConduct.parse({ cancelInTransit }))
      return step.kind === 'moves' ? step.row.to : step.kind
    })
    expect(outcomes).toEqual(['refused', 'CANCELLED', 'FAILED'])
  })

  test('problem reports are accepted in the configured statuses and never change the status', () => {
    const conduct = LogisticsConduct.parse({ problemStatuses: ['ASSIGNED', 'DELIVERED'] })
    const taken = deliveryStatuses.filter((status) => {
      const step = deliveryStep(status, 'problem', conduct)
      return step.kind === 'moves' && step.row.to === status
    })
    expect(taken).toEqual(['ASSIGNED', 'DELIVERED'])
  })
})
