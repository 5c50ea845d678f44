/**
 * Behaviour profiles of Indoor hosts and guests, as data. `…OneIn: n` is a probability of 1/n; 0 means never. Times are
 * ranges in ms. Of a guest's visits one in n has what `…OneIn: n` names, in turn, so that an evening has all of it; it
 * forgets steps by chance. And the plan of a visit, drawn from them.
 */
import type { Chance } from '../../engine/chance.ts'
import type { DiningTable } from '../../engine/indoor/world.ts'
import type { PaymentMethodInfo } from '../../protocol/indoor/account.ts'
import { type BehaviourName, behavioursOf } from './behaviour.ts'
import { drawDuration, isTurn } from './planning.ts'

export const houseBehaviours = behavioursOf({
  prompt: {
    /** From a request for a fiscal document to its outcome. */
    fiscal: [800, 2500],
    /** An issuance fails. */
    fiscalErrorOneIn: 0,
    /** From an account event to its webhook. */
    handover: [0, 0],
    /** It sends an account event twice. */
    repeatsOneIn: 0,
  },
  // Within the limit that a certification has for it.
  slow: { fiscal: [20_000, 50_000], handover: [1000, 4000] },
  forgetful: { fiscal: [2000, 30_000], fiscalErrorOneIn: 6 },
  hostile: {
    fiscal: [0, 60_000],
    fiscalErrorOneIn: 3,
    handover: [0, 5000],
    repeatsOneIn: 4,
  },
})
export type HouseBehaviour = (typeof houseBehaviours)[BehaviourName]

export const guestBehaviours = behavioursOf({
  prompt: {
    /** From the first order to the request for the bill. */
    stay: [25_000, 50_000],
    /** From an account event to the read of the account. */
    think: [300, 1200],
    /** How long it waits for an event before it reads the account again. */
    lookAgain: [10_000, 15_000],
    /** Maximum number of payments that the bill is split into. */
    maxSplits: 3,
    /** A payment is made before the bill. */
    paysEarlyOneIn: 3,
    /** Some time passes between the bill and its payment: an order that comes meanwhile finds the account locked. */
    lingersOneIn: 4,
    linger: [10_500, 14_000],
    /** The account is unlocked once after the bill was requested. */
    unlocksOneIn: 3,
    cancelsItemOneIn: 3,
    /** Items are transferred to another table. */
    transfersOneIn: 2,
    tipsOneIn: 4,
    /** It requests a fiscal document although no order asks for one. */
    asksAnywayOneIn: 3,
    /** It forgets a step until the next read. */
    forgetsStepOneIn: 0,
    /** It asks for the bill twice. */
    repeatsPreCloseOneIn: 4,
    /** It closes a closed account again. */
    repeatsCloseOneIn: 4,
    /** It tries to close before everything is paid. */
    closesUnpaidOneIn: 0,
    /** A payment comes when the account is closed. */
    paysLateOneIn: 0,
    /** It asks for the bill again when it knows that the account is locked. */
    insistsOneIn: 0,
    /** It requests the fiscal document with the bill, before the account is paid. */
    asksEarlyOneIn: 0,
    /** It pays all, and closes an account for which it has asked no bill. */
    closesInUseOneIn: 0,
    /** It cancels an item, and moves one to another table, of an account that is locked. */
    changesLockedOneIn: 0,
    /** It reads payments, documents and the closed account by its id. */
    checksOneIn: 3,
    /** It tries to unlock a closed account. */
    comesBackOneIn: 0,
  },
  slow: {
    stay: [1_800_000, 5_400_000],
    linger: [120_000, 600_000],
    think: [20_000, 120_000],
    lookAgain: [120_000, 240_000],
    maxSplits: 5,
  },
  forgetful: { forgetsStepOneIn: 4, repeatsCloseOneIn: 3 },
  hostile: {
    stay: [5000, 60_000],
    think: [0, 3000],
    maxSplits: 6,
    repeatsCloseOneIn: 3,
    closesUnpaidOneIn: 3,
    paysLateOneIn: 3,
    comesBackOneIn: 4,
  },
  passive: { forgetsStepOneIn: 1 },
})
/** What a prompt guest tries too, where orders come by themselves and the host is the one under test: it must refuse. */
export const guestTrials = {
  closesUnpaidOneIn: 5,
  paysLateOneIn: 5,
  insistsOneIn: 4,
  closesInUseOneIn: 4,
  changesLockedOneIn: 2,
  asksEarlyOneIn: 2,
} as const

export type GuestBehaviour = (typeof guestBehaviours)[BehaviourName]

/** The plan of a guest's visit, drawn from forks by the table, so that every read yields the same one. */
export interface VisitPlan {
  readonly stayMs: number
  readonly splits: number
  readonly method: PaymentMethodInfo
  readonly paysEarly: boolean
  /** From the bill to its payment. */
  readonly lingerMs: number
  readonly unlocks: boolean
  readonly cancelsItem: boolean
  readonly transfers: boolean
  readonly tips: boolean
  readonly asksForDocument: boolean
  readonly repeatsPreClose: boolean
  readonly repeatsClose: boolean
  readonly closesUnpaid: boolean
  readonly insists: boolean
  readonly closesInUse: boolean
  readonly asksEarly: boolean
  readonly changesLocked: boolean
  readonly paysLate: boolean
  readonly checks: boolean
  readonly comesBack: boolean
}

type GuestTurn = Extract<keyof GuestBehaviour, `${string}OneIn`>

const methods: readonly PaymentMethodInfo[] = [
  { method: 'CREDIT_CARD', brand: 'VISA', nsu: '000123' },
  { method: 'DEBIT_CARD', brand: 'ELO', nsu: '000456' },
  { method: 'PIX' },
  { method: 'CASH' },
  { method: 'VOUCHER', brand: 'VR' },
]

export function drawVisitPlan(
  { tableId, nth }: DiningTable,
  guest: GuestBehaviour,
  chance: Chance,
): VisitPlan {
  const own = chance.fork(tableId)
  const isOne = (oneIn: GuestTurn): boolean => isTurn(nth, guest[oneIn], oneIn, chance)
  return {
    stayMs: drawDuration(guest.stay, own),
    splits: own.between(1, guest.maxSplits),
    method: own.pick(methods),
    paysEarly: isOne('paysEarlyOneIn'),
    lingerMs: isOne('lingersOneIn') ? drawDuration(guest.linger, own) : 0,
    unlocks: isOne('unlocksOneIn'),
    changesLocked: isOne('changesLockedOneIn'),
    cancelsItem: isOne('cancelsItemOneIn'),
    transfers: isOne('transfersOneIn'),
    tips: isOne('tipsOneIn'),
    asksForDocument: isOne('asksAnywayOneIn'),
    repeatsPreClose: isOne('repeatsPreCloseOneIn'),
    repeatsClose: isOne('repeatsCloseOneIn'),
    closesUnpaid: isOne('closesUnpaidOneIn'),
    insists: isOne('insistsOneIn'),
    closesInUse: isOne('closesInUseOneIn'),
    asksEarly: isOne('asksEarlyOneIn'),
    paysLate: isOne('paysLateOneIn'),
    checks: isOne('checksOneIn'),
    comesBack: isOne('comesBackOneIn'),
  }
}
