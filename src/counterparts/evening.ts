/**
 * A guest's evening: what is still to be done at a table, given what was read of its account last. Drawn from the
 * table's own fork, so every look at a table gives the same evening; asked-for things are counted, so each is done once.
 */
import type { Chance } from '../engine/chance.ts'
import type { TableCommand } from '../engine/indoor/command.ts'
import type { Table } from '../engine/indoor/world.ts'
import type { Instant } from '../engine/instant.ts'
import type { PaymentMethodInfo } from '../protocol/indoor/account.ts'
import { fromUnits, toUnits } from '../protocol/orders/price.ts'
import { draw } from './habit.ts'
import type { GuestTemperament } from './indoor-temperament.ts'

export interface Evening {
  readonly stayMs: number
  readonly splits: number
  readonly method: PaymentMethodInfo
  readonly paysEarly: boolean
  readonly unlocks: boolean
  readonly cancelsItem: boolean
  readonly transfers: boolean
  readonly tips: boolean
  readonly asksForDocument: boolean
  readonly repeatsClose: boolean
  readonly closesUnpaid: boolean
  readonly comesBack: boolean
}

const methods: readonly PaymentMethodInfo[] = [
  { method: 'CREDIT_CARD', brand: 'VISA', nsu: '000123' },
  { method: 'DEBIT_CARD', brand: 'ELO', nsu: '000456' },
  { method: 'PIX' },
  { method: 'CASH' },
  { method: 'VOUCHER', brand: 'VR' },
]

export function eveningOf(tableId: string, guest: GuestTemperament, chance: Chance): Evening {
  const own = chance.fork(tableId)
  return {
    stayMs: draw(guest.stay, own),
    splits: own.between(1, guest.mostSplits),
    method: own.pick(methods),
    paysEarly: own.oneIn(guest.paysEarlyOneIn),
    unlocks: own.oneIn(guest.unlocksOneIn),
    cancelsItem: own.oneIn(guest.cancelsItemOneIn),
    transfers: own.oneIn(guest.transfersOneIn),
    tips: own.oneIn(guest.tipsOneIn),
    asksForDocument: own.oneIn(guest.asksAnywayOneIn),
    repeatsClose: own.oneIn(guest.repeatsCloseOneIn),
    closesUnpaid: own.oneIn(guest.closesUnpaidOneIn),
    comesBack: own.oneIn(guest.comesBackOneIn),
  }
}

/** What an evening is played on: the table, and what else its guest knows. */
export interface Setting {
  readonly table: Table
  readonly evening: Evening
  readonly now: Instant
  /** A fiscal document is to be asked for: before closing, after it, or not at all. */
  readonly document: 'before' | 'after' | 'none'
  /** Another table where items may go. */
  readonly neighbour?: Table | undefined
}

export type NextStep =
  | { readonly kind: 'act'; readonly command: TableCommand }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Nothing can be done but look again, at the account or at its documents. */
  | { readonly kind: 'watch'; readonly what: 'account' | 'documents' }
  | { readonly kind: 'leave' }

const act = (command: TableCommand): NextStep => ({ kind: 'act', command })

const cents = toUnits(0.01)

/** The next of so many shares, in whole cents; the last one is all that is due. */
export function shareOfDue(due: number, left: number): number {
  const units = toUnits(due)
  const share = Math.floor(units / Math.max(1, left) / cents) * cents
  return left <= 1 || share <= 0 ? due : fromUnits(share)
}

const times = ({ asks }: Table, asked: keyof Table['asks']): number => asks[asked] ?? 0

function payment({ table, evening }: Setting, left: number): NextStep {
  const due = table.account?.due ?? 0
  const amount = shareOfDue(due, left)
  const tip = evening.tips
    ? { tip: fromUnits(Math.floor(toUnits(amount) / 10 / cents) * cents) }
    : {}
  return act({
    kind: 'table.pay',
    tableId: table.tableId,
    amount,
    methodInfo: evening.method,
    ...tip,
  })
}

/** A thing to be done once, a part of the stay after the first order; undefined where it is not to be done. */
interface Moment {
  readonly part: number
  readonly step: NextStep | undefined
}

/** What the guests do while the account is in use, in order. */
function momentsInUse(setting: Setting): readonly Moment[] {
  const { table, evening, neighbour } = setting
  const { tableId, account } = table
  const active = (account?.items ?? []).filter(({ isActive }) => isActive)
  const [first] = active
  const last = active.at(-1)
  const several = active.length > 1
  const cancels = evening.cancelsItem && times(table, 'cancel-item') === 0 && first && several
  const transfers = evening.transfers && times(table, 'transfer') === 0 && last && several
  const paysEarly = evening.paysEarly && times(table, 'pay') === 0 && (account?.due ?? 0) > 0
  return [
    {
      part: 0.3,
      step: cancels
        ? act({
            kind: 'table.cancel-item',
            tableId,
            itemId: first.itemId,
            reason: 'mudou de ideia',
          })
        : undefined,
    },
    {
      part: 0.5,
      // Whom nobody has room for stays where they sit.
      step:
        transfers && neighbour && setting.now < table.begunAt + evening.stayMs
          ? act({
              kind: 'table.transfer',
              tableId,
              targetTableId: neighbour.tableId,
              itemIds: [last.itemId],
              reason: 'mudou de mesa',
            })
          : undefined,
    },
    { part: 0.7, step: paysEarly ? payment(setting, evening.splits + 1) : undefined },
    { part: 1, step: act({ kind: 'table.move', tableId, trigger: 'pre-close' }) },
  ]
}

/** The bill was taken back: one more round, shorter than the first. */
const anotherRound = 0.3

function inUse(setting: Setting): NextStep {
  const { table, evening, now } = setting
  const isBack = times(table, 'unlock') > 0
  const since = isBack ? table.since : table.begunAt
  const moments = momentsInUse(setting).map(({ part, step }) => ({
    at: since + Math.round(evening.stayMs * (isBack ? part * anotherRound : part)),
    step,
  }))
  for (const { at, step } of moments) {
    if (!step) continue
    return at > now ? { kind: 'wait', ms: at - now } : step
  }
  return { kind: 'watch', what: 'account' }
}

function inPayment(setting: Setting): NextStep {
  const { table, evening, document } = setting
  const { tableId, account } = table
  const due = account?.due ?? 0
  if (evening.unlocks && times(table, 'unlock') === 0)
    return act({ kind: 'table.move', tableId, trigger: 'unlock', reason: 'mais uma rodada' })
  if (evening.closesUnpaid && times(table, 'close') === 0 && due > 0)
    return act({ kind: 'table.move', tableId, trigger: 'close', force: true })
  if (due > 0) return payment(setting, evening.splits - times(table, 'pay'))
  if (document === 'before' && times(table, 'request-fiscal') === 0 && !account?.isIssued)
    return act({ kind: 'table.request-fiscal', tableId })
  return act({ kind: 'table.move', tableId, trigger: 'close' })
}

/** Issuances that are asked for at most, when they fail. */
const mostRequests = 2

function closed({ table, evening, document }: Setting): NextStep {
  const { tableId, account, fiscal } = table
  if (evening.repeatsClose && times(table, 'close') === 1)
    return act({ kind: 'table.move', tableId, trigger: 'close', force: true })
  if (evening.comesBack && times(table, 'unlock') < (evening.unlocks ? 2 : 1))
    return act({ kind: 'table.move', tableId, trigger: 'unlock', force: true })
  const asked = times(table, 'request-fiscal')
  const isThere = fiscal === 'issued' || account?.isIssued === true
  if (isThere || document === 'none') return { kind: 'leave' }
  if (document === 'before' && asked === 0) return { kind: 'leave' }
  const again = fiscal === 'error' && asked < mostRequests
  if (document === 'after' && (asked === 0 || again))
    return act({ kind: 'table.request-fiscal', tableId, printDocument: true })
  return fiscal === 'error' ? { kind: 'leave' } : { kind: 'watch', what: 'documents' }
}

/** What comes next at a table, by the status that was read last. */
export function nextStep(setting: Setting): NextStep {
  switch (setting.table.status) {
    case 'IN_USE':
      return inUse(setting)
    case 'IN_PAYMENT':
      return inPayment(setting)
    case 'CLOSED':
      return closed(setting)
    default:
      return { kind: 'watch', what: 'account' }
  }
}
