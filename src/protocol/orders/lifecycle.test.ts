import { expect, test } from 'vitest'
import { orderEvents } from './events.ts'
import { legalMoves, orderLifecycle, orderTriggers, step } from './lifecycle.ts'
import { orderStatuses, orderTypes, type OrderType } from './order.ts'

/**
 * What every trigger does in every status, as the protocol's tables print it: a status to which it leads, `=` where the
 * target is applied already, `<` where the order has passed it, `-` where it stands in no row.
 */
const delivery = `
              confirm   preparing ready-for-pickup dispatch    collect     delivered cancel    conclude
  CREATED     CONFIRMED -         -                -           -           -         CANCELLED -
  CONFIRMED   =         PREPARING READY            -           -           -         CANCELLED -
  PREPARING   <         =         READY            -           -           -         CANCELLED -
  READY       <         <         =                IN_DELIVERY IN_DELIVERY DELIVERED CANCELLED -
  IN_DELIVERY <         <         <                =           =           DELIVERED CANCELLED -
  DELIVERED   <         <         <                <           <           =         -         CONCLUDED
  CANCELLED   -         -         -                -           -           -         =         CONCLUDED
  CONCLUDED   <         <         <                <           <           <         -         =`

/** In the house and at the counter nobody rides: no dispatch, no courier. IN_DELIVERY cannot be reached but by force. */
const atTheStore = `
              confirm   preparing ready-for-pickup dispatch collect delivered cancel    conclude
  CREATED     CONFIRMED -         -                -        -       -         CANCELLED -
  CONFIRMED   =         PREPARING READY            -        -       -         CANCELLED -
  PREPARING   <         =         READY            -        -       -         CANCELLED -
  READY       <         <         =                -        -       DELIVERED CANCELLED -
  IN_DELIVERY <         <         <                =        =       DELIVERED CANCELLED -
  DELIVERED   <         <         <                -        -       =         -         CONCLUDED
  CANCELLED   -         -         -                -        -       -         =         CONCLUDED
  CONCLUDED   <         <         <                -        -       <         -         =`

const grids: Readonly<Record<OrderType, string>> = {
  DELIVERY: delivery,
  TAKEOUT: atTheStore,
  INDOOR: atTheStore,
}

const marks = { applied: '=', passed: '<', refused: '-' } as const

test.each(orderTypes)('every status × trigger cell of a %s order is the table’s', (profile) => {
  const rows = grids[profile].trim().split('\n')
  const [head = [], ...cells] = rows.map((row) => row.trim().split(/\s+/))
  expect(head).toEqual([...orderTriggers])
  expect(cells.map(([status]) => status)).toEqual([...orderStatuses])
  for (const status of orderStatuses) {
    const found = orderTriggers.map((trigger) => {
      const next = step(status, trigger, profile)
      return next.kind === 'moves' ? next.row.to : marks[next.kind]
    })
    expect([status, ...found]).toEqual(cells.find(([name]) => name === status))
  }
})

test('a row announces its target: the event projects the status to which the row leads', () => {
  for (const row of orderLifecycle) expect(orderEvents[row.emits].projects).toBe(row.to)
})

test('a row never emits what the profile forbids', () => {
  for (const { emits, profiles = orderTypes } of orderLifecycle)
    for (const profile of profiles)
      expect(orderEvents[emits].obligation[profile]).not.toBe('MUST NOT')
})

test('the legal moves of an order are the rows that start where it is', () => {
  const triggers = (profile: OrderType): readonly string[] =>
    legalMoves('READY', profile).map(({ trigger }) => trigger)
  expect(triggers('DELIVERY')).toEqual(['dispatch', 'collect', 'delivered', 'cancel'])
  expect(triggers('INDOOR')).toEqual(['delivered', 'cancel'])
  expect(legalMoves('CONCLUDED', 'DELIVERY')).toEqual([])
})

test('nothing leads out of CONCLUDED, and nothing but its end out of CANCELLED', () => {
  for (const profile of orderTypes) {
    expect(legalMoves('CONCLUDED', profile)).toEqual([])
    expect(legalMoves('CANCELLED', profile).map(({ to }) => to)).toEqual(['CONCLUDED'])
    expect(legalMoves('DELIVERED', profile).map(({ to }) => to)).toEqual(['CONCLUDED'])
  }
})
