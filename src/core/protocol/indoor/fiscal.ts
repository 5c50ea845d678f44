/**
 * Lifecycle of a fiscal document: requested, then issued or failed, asynchronously and independent of the account
 * (IND-RUL-06, IND-RUL-07). A failed document stays failed; another request creates another one.
 */
import { lifecycle, type LifecycleStep, type Transition } from '../lifecycle.ts'
import type { AccountEventType } from './events.ts'

export const fiscalTriggers = ['request', 'issue', 'fail'] as const
export type FiscalTrigger = (typeof fiscalTriggers)[number]

export const fiscalStates = ['NOT_ISSUED', 'PENDING', 'ISSUED', 'ERROR'] as const
export type FiscalState = (typeof fiscalStates)[number]

export interface FiscalTransition extends Transition<FiscalTrigger, FiscalState> {
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

const document = lifecycle(fiscalLifecycle, { progression: ['PENDING', 'ISSUED'] })

/** The effect of a trigger on a document in this state; an issued one has been requested too. */
export function fiscalStep(
  state: FiscalState,
  trigger: FiscalTrigger,
): LifecycleStep<FiscalTransition> {
  const step = document.step(state, trigger)
  return step.kind === 'passed' ? { kind: 'applied' } : step
}

/** When the Software Service issues a document by itself, and which party issues (DIS-IND-02, DIS-IND-03). */
export const invoiceMoments = ['account_closing', 'item_addition', 'payment'] as const
export type InvoiceMoment = (typeof invoiceMoments)[number]
export const invoiceIssuers = ['pos', 'app', 'platform'] as const
