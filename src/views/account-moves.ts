/**
 * Available moves of an account: those of the Ordering Application, which the protocol defines, and those of the house,
 * which it leaves open (discount, courtesy, correction, outcome of a fiscal document).
 */
import type {
  AccountLine,
  DiningAccountRecord,
  DiningTable,
  TableAction,
} from '../engine/indoor/world.ts'
import type { World } from '../engine/world.ts'
import {
  type DiningAccountMove,
  diningAccountMoves,
  diningAccountStep,
  diningAccountTargets,
  statesAllowing,
} from '../protocol/indoor/lifecycle.ts'
import { accountSums } from '../protocol/indoor/totals.ts'
import { fromCents } from '../protocol/indoor/money.ts'
import type { Move } from '../session-api/entities.ts'

/** A fraction of an amount as a decimal, rounded down to cents. */
const fractionOf = (cents: number, of: number): number => fromCents(Math.floor(cents / of))

const client = 'ordering-application'
const house = 'software-service'

/** Lifecycle moves; those that the lifecycle or the payments do not allow are forced. */
function lifecycleMoves(account: DiningAccountRecord): readonly Move[] {
  const { accountId, status } = account
  const { due } = accountSums(account)
  return diningAccountMoves.flatMap((trigger) => {
    const step = diningAccountStep(status, trigger)
    if (step.kind === 'applied') return []
    const needed = statesAllowing(trigger).join(' or ')
    const unpaid = trigger === 'close' && due > 0 && !account.courtesy
    const invalid =
      step.kind === 'refused'
        ? `${trigger} needs ${needed}, and it is ${status}`
        : unpaid
          ? `${fromCents(due).toFixed(2)} is still due`
          : undefined
    const command = { kind: 'account.move', accountId, trigger } as const
    const move = { trigger, to: diningAccountTargets[trigger], by: client } as const
    return invalid === undefined
      ? [{ ...move, command }]
      : [{ ...move, command: { ...command, force: true as const }, invalid }]
  })
}

/** A move that leaves the status as it is. */
const sameStatusMove = (account: DiningAccountRecord, move: Omit<Move, 'to'>): Move => ({
  ...move,
  to: account.status,
})

function paymentMoves(account: DiningAccountRecord): readonly Move[] {
  const { accountId, payments } = account
  const { due, amount } = accountSums(account)
  const pay = (trigger: string, decimal: number): Move =>
    sameStatusMove(account, {
      trigger,
      by: client,
      command: {
        kind: 'account.pay',
        accountId,
        payment: { amount: decimal, methodInfo: { method: 'CASH' } },
      },
    })
  const half = fractionOf(due, 2)
  const last = payments.at(-1)
  return [
    ...(due > 0 ? [pay('pay', fromCents(due))] : []),
    ...(half > 0 ? [pay('pay-half', half)] : []),
    ...(last
      ? [
          sameStatusMove(account, {
            trigger: 'adjust-payment',
            by: house,
            command: {
              kind: 'account.adjust-payment',
              accountId,
              paymentId: last.paymentId,
              amount: fractionOf(last.cents, 2),
              reason: 'corrected by hand',
            },
          }),
        ]
      : []),
    ...(due > 0
      ? [
          sameStatusMove(account, {
            trigger: 'discount',
            by: house,
            command: {
              kind: 'account.discount',
              accountId,
              amount: Math.max(fractionOf(amount, 10), fromCents(1)),
              reason: 'ten in a hundred off',
            },
          }),
        ]
      : []),
    ...(account.courtesy
      ? []
      : [
          sameStatusMove(account, {
            trigger: 'courtesy',
            by: house,
            command: { kind: 'account.courtesy', accountId, reason: 'on the house' },
          }),
        ]),
  ]
}

const lastActive = (items: readonly AccountLine[]): AccountLine | undefined =>
  items.findLast(({ status }) => status === 'ACTIVE')

/** Another open account of the same merchant, as a transfer target. */
function neighbourOf(account: DiningAccountRecord, world: World): DiningAccountRecord | undefined {
  for (const ids of world.indoor.host.open.values())
    for (const id of ids) {
      const other = world.indoor.host.accounts.get(id)
      if (
        other &&
        other.accountId !== account.accountId &&
        other.merchantId === account.merchantId &&
        other.status === 'IN_USE'
      )
        return other
    }
  return undefined
}

function itemMoves(account: DiningAccountRecord, world: World): readonly Move[] {
  const { accountId } = account
  const item = lastActive(account.items)
  if (!item) return []
  const neighbour = neighbourOf(account, world)
  const transfer = (trigger: string, whole: boolean): readonly Move[] =>
    neighbour
      ? [
          sameStatusMove(account, {
            trigger,
            by: client,
            command: {
              kind: 'account.transfer',
              accountId,
              targetAccountId: neighbour.accountId,
              transfer: { whole, items: whole ? [] : [{ itemId: item.itemId }] },
            },
          }),
        ]
      : []
  return [
    sameStatusMove(account, {
      trigger: 'cancel-item',
      by: client,
      command: { kind: 'account.cancel-item', accountId, itemId: item.itemId },
    }),
    ...transfer('transfer-item', false),
    ...transfer('transfer-all', true),
  ]
}

function fiscalMoves(account: DiningAccountRecord): readonly Move[] {
  const { accountId, documents } = account
  const pending = documents.find(({ document }) => document.documentStatus === 'PENDING')
  if (!pending)
    return [
      sameStatusMove(account, {
        trigger: 'request-fiscal',
        by: house,
        command: { kind: 'account.request-fiscal', accountId, own: true },
      }),
    ]
  const { documentId } = pending.document
  return (['issued', 'error'] as const).map((outcome) =>
    sameStatusMove(account, {
      trigger: outcome === 'issued' ? 'issue-fiscal' : 'fail-fiscal',
      by: house,
      command: { kind: 'account.conclude-fiscal', accountId, documentId, outcome },
    }),
  )
}

export function accountMovesOf(account: DiningAccountRecord, world: World): readonly Move[] {
  const { status } = account
  const inUse = diningAccountStep(status, 'cancel-item').kind === 'moves'
  const open = diningAccountStep(status, 'pay').kind === 'moves'
  return [
    ...lifecycleMoves(account),
    ...(open ? paymentMoves(account) : []),
    ...(inUse ? itemMoves(account, world) : []),
    ...fiscalMoves(account),
  ]
}

/** Moves of our Ordering Application on an account that the subject hosts. */
export function tableMovesOf(table: DiningTable): readonly Move[] {
  const { tableId, status = 'IN_USE', account } = table
  const item = account?.items.findLast(({ isActive }) => isActive)
  const due = account?.due ?? 0
  const move = (trigger: string, act: TableAction | undefined, command: Move['command']): Move => {
    const to =
      act && act in diningAccountTargets ? diningAccountTargets[act as DiningAccountMove] : status
    const step = act === undefined ? undefined : diningAccountStep(status, act)
    const needed = act === undefined ? '' : statesAllowing(act).join(' or ')
    return step?.kind === 'refused'
      ? {
          trigger,
          to,
          by: client,
          command: { ...command, force: true } as Move['command'],
          invalid: `${trigger} needs ${needed}, and it is ${status}`,
        }
      : { trigger, to, by: client, command }
  }
  return [
    ...diningAccountMoves.map((trigger) =>
      move(trigger, trigger, { kind: 'table.move', tableId, trigger, force: true }),
    ),
    ...(due > 0 ? [move('pay', 'pay', { kind: 'table.pay', tableId, force: true })] : []),
    ...(item
      ? [
          move('cancel-item', 'cancel-item', {
            kind: 'table.cancel-item',
            tableId,
            itemId: item.itemId,
            force: true,
          }),
        ]
      : []),
    move('request-fiscal', 'request-fiscal', {
      kind: 'table.request-fiscal',
      tableId,
      force: true,
    }),
    move('look', undefined, { kind: 'table.look', tableId }),
    move('list-payments', undefined, { kind: 'table.list', tableId, what: 'payments' }),
    move('list-documents', undefined, { kind: 'table.list', tableId, what: 'documents' }),
    ...(table.over === undefined
      ? [move('leave', undefined, { kind: 'table.leave', tableId })]
      : []),
  ]
}
