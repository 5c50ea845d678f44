/**
 * Behaviour profiles of Indoor hosts and guests, as data. `…OneIn: n` is a probability of 1/n; 0 means never. Times are
 * ranges in ms. Of a guest's visits one in n has what `…OneIn: n` names, in turn, so that an evening has all of it; it
 * forgets steps by chance.
 */
import { type BehaviourName, behavioursOf } from './behaviour.ts'

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
  slow: { fiscal: [60_000, 300_000], handover: [1000, 4000] },
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
export const guestTrials = { closesUnpaidOneIn: 5, paysLateOneIn: 5 } as const

export type GuestBehaviour = (typeof guestBehaviours)[BehaviourName]
