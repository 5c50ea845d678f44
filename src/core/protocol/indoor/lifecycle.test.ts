import { expect, test } from 'vitest'
import { accountEvents, accountEventTypes, optionalAccountEvents } from './events.ts'
import { fiscalLifecycle, fiscalStates, fiscalStep, fiscalTriggers } from './fiscal.ts'
import {
  diningAccountLifecycle,
  diningAccountStates,
  diningAccountStep,
  diningAccountTriggers,
} from './lifecycle.ts'

/**
 * The result of every trigger in every status, as the two tables of document 2 print it: the target status, `=` for
 * already there, `-` for refused.
 */
const grid = `
                  NONE    IN_USE      IN_PAYMENT  CLOSED
  open            IN_USE  -           -           -
  add-items       -       IN_USE      -           -
  cancel-item     -       IN_USE      -           -
  transfer        -       IN_USE      -           -
  pay             -       IN_USE      IN_PAYMENT  -
  adjust-payment  -       IN_USE      IN_PAYMENT  -
  discount        -       IN_USE      IN_PAYMENT  -
  courtesy        -       IN_USE      IN_PAYMENT  -
  pre-close       -       IN_PAYMENT  =           -
  unlock          -       =           IN_USE      -
  close           -       -           CLOSED      =
  request-fiscal  -       IN_USE      IN_PAYMENT  CLOSED
  conclude-fiscal -       IN_USE      IN_PAYMENT  CLOSED`

const marks = { applied: '=', passed: '<', refused: '-' } as const

function cells(text: string) {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
  return { head, rows }
}

test('[IND-TRA-01, IND-TRA-02, IND-TRA-03, IND-TRA-04] every status × trigger cell of the account lifecycle matches the tables of document 2', () => {
  const { head, rows } = cells(grid)
  expect(head).toEqual([...diningAccountStates])
  expect(rows.map(([trigger]) => trigger)).toEqual([...diningAccountTriggers])
  for (const trigger of diningAccountTriggers) {
    const found = diningAccountStates.map((state) => {
      const step = diningAccountStep(state, trigger)
      return step.kind === 'moves' ? step.row.to : marks[step.kind]
    })
    expect([trigger, ...found]).toEqual(rows.find(([name]) => name === trigger))
  }
})

const documents = `
          NOT_ISSUED  PENDING  ISSUED  ERROR
  request PENDING     =        =       -
  issue   -           ISSUED   =       -
  fail    -           ERROR    -       =`

test('every state × trigger cell of the fiscal document lifecycle matches its table', () => {
  const { head, rows } = cells(documents)
  expect(head).toEqual([...fiscalStates])
  for (const trigger of fiscalTriggers) {
    const found = fiscalStates.map((state) => {
      const step = fiscalStep(state, trigger)
      return step.kind === 'moves' ? step.row.to : marks[step.kind]
    })
    expect([trigger, ...found]).toEqual(rows.find(([name]) => name === trigger))
  }
})

test('a row emits an event of its target status, or an event that leaves the status unchanged', () => {
  for (const { from, to, emits } of diningAccountLifecycle) {
    if (!emits) continue
    const { after } = accountEvents[emits]
    if (after === undefined) expect(to).toBe(from)
    else expect(after).toBe(to)
  }
  for (const { emits } of fiscalLifecycle)
    if (emits) expect(accountEvents[emits].after).toBeUndefined()
})

/** Every event, its obligation, and the account's status after it, as document 2 prints them. */
const table = `
  ACCOUNT_OPENED         MUST IN_USE
  ACCOUNT_ITEM_ADDED     MUST IN_USE
  ACCOUNT_ITEM_REMOVED   MAY  IN_USE
  ACCOUNT_ITEM_CANCELLED MUST IN_USE
  PAYMENT_CREATED        MUST unchanged
  PAYMENT_UPDATED        MAY  unchanged
  ACCOUNT_PRE_CLOSED     MUST IN_PAYMENT
  ACCOUNT_UNLOCKED       MAY  IN_USE
  FISCAL_ISSUED          MUST unchanged
  FISCAL_ERROR           MUST unchanged
  ACCOUNT_CLOSED         MUST CLOSED`

test('the account events match the table of document 2, and only events of obligation MAY can be omitted', () => {
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
  expect(
    accountEventTypes.map((type) => {
      const { obligation, after = 'unchanged' } = accountEvents[type]
      return [type, obligation, after]
    }),
  ).toEqual(rows)
  expect(optionalAccountEvents.map((type) => accountEvents[type].obligation)).toEqual(
    optionalAccountEvents.map(() => 'MAY'),
  )
  expect(optionalAccountEvents).toHaveLength(
    rows.filter(([, obligation]) => obligation === 'MAY').length,
  )
})

test('every emitted event is in the event table, and every event is emitted by some row', () => {
  const emitted = new Set(
    [...diningAccountLifecycle, ...fiscalLifecycle].flatMap(({ emits }) => emits ?? []),
  )
  expect([...emitted].toSorted()).toEqual([...accountEventTypes].toSorted())
})
