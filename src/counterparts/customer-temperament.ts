/** How the two sides of Customer behave of their own accord, as data. Odds are "one in n"; 0 is never. */
import type { Range, TemperamentName } from './temperament.ts'

export interface SupplierTemperament {
  /** From a customer's registration to the note of its order: one comes before the other. */
  readonly note: Range
  /** A new customer wants no marketing, once in so many. */
  readonly declinesOneIn: number
  /** A first-timer was captured as a lead, once in so many. */
  readonly leadOneIn: number
  /** Somebody who has not ordered leaves a contact, once in so many orders that are over. */
  readonly acquaintanceOneIn: number
  /** A customer reviews a delivered order, once in so many, and when. */
  readonly reviewOneIn: number
  readonly reviewAfter: Range
  /** A customer withdraws consent in the app after an order, once in so many. */
  readonly optsOutOneIn: number
  /** And comes back to it. */
  readonly optsInOneIn: number
  /** A customer's news of an order's end is forgotten, once in so many. */
  readonly forgetsFateOneIn: number
}

export interface HostTemperament {
  /** From an ingest's 202 to its effect. */
  readonly processing: Range
  /** What came first takes effect first; or each takes its own time, and may overtake. */
  readonly inOrder: boolean
  /** A customer withdraws consent at the CRM after an order, once in so many, and when. */
  readonly optsOutOneIn: number
  readonly optsOutAfter: Range
}

const promptSupplier: SupplierTemperament = {
  note: [1000, 3000],
  declinesOneIn: 4,
  leadOneIn: 2,
  acquaintanceOneIn: 25,
  reviewOneIn: 6,
  reviewAfter: [30_000, 120_000],
  optsOutOneIn: 40,
  optsInOneIn: 40,
  forgetsFateOneIn: 0,
}

export const supplierTemperaments: Readonly<Record<TemperamentName, SupplierTemperament>> = {
  prompt: promptSupplier,
  slow: { ...promptSupplier, note: [20_000, 60_000], reviewAfter: [300_000, 1_800_000] },
  forgetful: { ...promptSupplier, reviewOneIn: 12, forgetsFateOneIn: 4 },
  hostile: {
    ...promptSupplier,
    note: [0, 10_000],
    declinesOneIn: 2,
    optsOutOneIn: 6,
    optsInOneIn: 6,
  },
}

const promptHost: HostTemperament = {
  processing: [80, 150],
  inOrder: true,
  optsOutOneIn: 50,
  optsOutAfter: [20_000, 90_000],
}

export const hostTemperaments: Readonly<Record<TemperamentName, HostTemperament>> = {
  prompt: promptHost,
  slow: { ...promptHost, processing: [3000, 8000] },
  forgetful: { ...promptHost, processing: [200, 2000], optsOutOneIn: 0 },
  hostile: { ...promptHost, processing: [0, 5000], inOrder: false, optsOutOneIn: 5 },
}
