/**
 * Behaviour profiles of both sides of Customer, as data. `…OneIn: n` is a probability of 1/n; 0 means never. Times are
 * ranges in ms.
 */
import { type DurationRange, temperamentsOf } from './temperament.ts'

export interface CustomerSupplierTemperament {
  /** From a customer's registration to the record of the order. */
  readonly note: DurationRange
  /** A new customer refuses marketing. */
  readonly declinesOneIn: number
  /** A first-time customer was captured as a lead. */
  readonly leadOneIn: number
  /** A person without an order becomes a lead, per finished order. */
  readonly acquaintanceOneIn: number
  /** A customer reviews a delivered order, and after what time. */
  readonly reviewOneIn: number
  readonly reviewAfter: DurationRange
  /** A customer withdraws marketing consent in the app after an order. */
  readonly optsOutOneIn: number
  /** A customer gives marketing consent again. */
  readonly optsInOneIn: number
  /** The end of an order is not recorded. */
  readonly forgetsEndOneIn: number
}

export interface CustomerHostTemperament {
  /** From the 202 of an ingest to its effect. */
  readonly processing: DurationRange
  /** Records take effect in order of arrival; otherwise each has its own delay and may overtake. */
  readonly inOrder: boolean
  /** A customer withdraws marketing consent at the CRM after an order, and after what time. */
  readonly optsOutOneIn: number
  readonly optsOutAfter: DurationRange
}

export const customerSupplierTemperaments = temperamentsOf<CustomerSupplierTemperament>({
  prompt: {
    note: [1000, 3000],
    declinesOneIn: 4,
    leadOneIn: 2,
    acquaintanceOneIn: 25,
    reviewOneIn: 6,
    reviewAfter: [30_000, 120_000],
    optsOutOneIn: 40,
    optsInOneIn: 40,
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

export const customerHostTemperaments = temperamentsOf<CustomerHostTemperament>({
  prompt: {
    processing: [80, 150],
    inOrder: true,
    optsOutOneIn: 50,
    optsOutAfter: [20_000, 90_000],
  },
  slow: { processing: [3000, 8000] },
  forgetful: { processing: [200, 2000], optsOutOneIn: 0 },
  hostile: { processing: [0, 5000], inOrder: false, optsOutOneIn: 5 },
})
