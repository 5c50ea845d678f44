/**
 * Behaviour profiles of both sides of Customer, as data. `…OneIn: n` is a probability of 1/n; 0 means never. Times are
 * ranges in ms.
 */
import { type BehaviourName, behavioursOf } from './behaviour.ts'

export const customerSupplierBehaviours = behavioursOf({
  prompt: {
    /** From a customer's registration to the record of the order. */
    note: [1000, 3000],
    /** A new customer refuses marketing. */
    declinesOneIn: 4,
    /** A first-time customer was captured as a lead. */
    leadOneIn: 2,
    /** A person without an order becomes a lead, per finished order. */
    acquaintanceOneIn: 25,
    /** A customer reviews a delivered order, and after what time. */
    reviewOneIn: 6,
    reviewAfter: [30_000, 120_000],
    /** It pushes a record with a token that may only read. */
    mistakesScopeOneIn: 0,
    /** A customer withdraws marketing consent in the app after an order. */
    optsOutOneIn: 40,
    /** A customer gives marketing consent again. */
    optsInOneIn: 40,
    /** A customer comes back by another identifier with a known external id, or the other way round. */
    reidentifiesOneIn: 0,
    /** It reads the list of customers after an order. */
    listsOneIn: 0,
    /** A customer withdraws marketing consent, and nothing but the event says so. */
    withdrawsByEventOneIn: 0,
    /** What is older than a withdrawn consent comes after it: an event, and a record. */
    sendsOldConsentOneIn: 0,
    /** It hands an event over twice. */
    repeatsOneIn: 0,
    /** The end of an order is not recorded. */
    forgetsEndOneIn: 0,
  },
  slow: { note: [20_000, 60_000], reviewAfter: [300_000, 1_800_000] },
  forgetful: { reviewOneIn: 12, forgetsEndOneIn: 4 },
  hostile: {
    note: [0, 10_000],
    declinesOneIn: 2,
    optsOutOneIn: 6,
    optsInOneIn: 6,
  },
})
/** What becomes frequent at a CRM under test, where orders come by themselves. */
export const customerSupplierTrials = {
  acquaintanceOneIn: 6,
  reviewOneIn: 3,
  reviewAfter: [4000, 20_000],
  optsOutOneIn: 3,
  optsInOneIn: 3,
  reidentifiesOneIn: 2,
  listsOneIn: 2,
  withdrawsByEventOneIn: 3,
  sendsOldConsentOneIn: 1,
  mistakesScopeOneIn: 5,
  repeatsOneIn: 4,
} as const

export type CustomerSupplierBehaviour = (typeof customerSupplierBehaviours)[BehaviourName]

export const customerHostBehaviours = behavioursOf({
  prompt: {
    /** From the 202 of an ingest to its effect. */
    processing: [80, 150],
    /** Records take effect in order of arrival; otherwise each has its own delay and may overtake. */
    inOrder: true,
    /** A customer withdraws marketing consent at the CRM after an order, and after what time. */
    optsOutOneIn: 50,
    optsOutAfter: [20_000, 90_000],
  },
  slow: { processing: [3000, 8000] },
  forgetful: { processing: [200, 2000], optsOutOneIn: 0 },
  hostile: { processing: [0, 5000], inOrder: false, optsOutOneIn: 5 },
})
export type CustomerHostBehaviour = (typeof customerHostBehaviours)[BehaviourName]
