/**
 * Lifecycle of a fiscal document: requested, then issued or failed, asynchronously and independent of the account
 * (IND-RUL-06, IND-RUL-07). A failed document stays failed; another request creates another one.
 */
import type { AccountEventType } from './events.ts'

export const fiscalTriggers = ['request', 'issue', 'fail'] as const
export type FiscalTrigger = (typeof fiscalTriggers)[number]

export const fiscalStates = ['NOT_ISSUED', 'PENDING', 'ISSUED', 'ERROR'] as const
export type FiscalState = (typeof fiscalStates)[number]

export interface FiscalTransition {
  readonly from: FiscalState
  readonly trigger: FiscalTrigger
  readonly to: FiscalState
  readonly emits?: AccountEventType
  readonly clause: string
}

export const fiscalLifecycle: readonly FiscalTransition[] = [
  { from: 'NOT_ISSUED', trigger: 'request', to: 'PENDING', clause: 'IND-OPS-10' },
  {
    from: 'PENDING',
    trigger: 'issue',
    to: 'ISSUED',
    emits: 'FISCAL_ISSUED',
    clause: 'IND-EVT-09',
  },
  { from: 'PENDING', trigger: 'fail', to: 'ERROR', emits: 'FISCAL_ERROR', clause: 'IND-EVT-10' },
]

export type FiscalStep =
  | { readonly kind: 'moves'; readonly row: FiscalTransition }
  /** Requested already, or in the target state: no effect. */
  | { readonly kind: 'applied' }
  | { readonly kind: 'refused' }

const appliedTo: Readonly<Record<FiscalTrigger, readonly FiscalState[]>> = {
  request: ['PENDING', 'ISSUED'],
  issue: ['ISSUED'],
  fail: ['ERROR'],
}

export function fiscalStep(state: FiscalState, trigger: FiscalTrigger): FiscalStep {
  const row = fiscalLifecycle.find((each) => each.from === state && each.trigger === trigger)
  if (row) return { kind: 'moves', row }
  return { kind: appliedTo[trigger].includes(state) ? 'applied' : 'refused' }
}

/** When the Software Service issues a document by itself, and which party issues (DIS-IND-02, DIS-IND-03). */
export const invoiceMoments = ['account_closing', 'item_addition', 'payment'] as const
export type InvoiceMoment = (typeof invoiceMoments)[number]
export const invoiceIssuers = ['pos', 'app', 'platform'] as const
