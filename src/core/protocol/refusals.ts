/** The refusals that operations may answer with: error codes, and the status where `conduct` chooses it. */
import type { Conduct } from './conduct.ts'
import type { ErrorCode } from './errors.ts'

/** A code with its own status, or with those that `conduct` gives it; with no status it is not used. */
export type DeclaredRefusal =
  | ErrorCode
  | { readonly code: ErrorCode; readonly statuses: (conduct: Conduct) => readonly number[] }

type Statuses = (conduct: Conduct) => readonly number[]

const withStatus = (code: ErrorCode, statuses: Statuses): DeclaredRefusal => ({ code, statuses })

/** The status of a refusal; none where the call is accepted instead. */
const unlessAccepted = (status: number): readonly number[] => (status === 202 ? [] : [status])

/** A call that moves an order along its lifecycle (ORD-UND-04, ORD-UND-05). */
export const orderMoves: readonly DeclaredRefusal[] = [
  'NOT_FOUND',
  withStatus('INVALID_TRANSITION', ({ invalidTransition, passedTarget }) => [
    invalidTransition.orders,
    ...unlessAccepted(passedTarget),
  ]),
]

/** The same in V1, which also refuses repeated calls. */
export const v1OrderMoves: readonly DeclaredRefusal[] = [
  ...orderMoves,
  withStatus('INVALID_TRANSITION', () => [422]),
]

/** Tracking of an order that is not delivered, where bodies are taken strictly. */
export const undeliveredOrder = withStatus('EVENT_NOT_ALLOWED', ({ bodies }) =>
  bodies === 'strict' ? [422] : [],
)

/** An item cancelled before the order is confirmed (ORD-UND-11). */
export const earlyItemCancellation = withStatus('UNPROCESSABLE', ({ earlyItemCancel }) => [
  earlyItemCancel,
])

/** An acknowledgment of an unknown event. */
export const unknownAcknowledgment = [
  withStatus('NOT_FOUND', ({ unknownAcknowledgment: choice }) =>
    choice === 'refuse' ? [404] : [],
  ),
]

/** A call on an account, which its status may not allow (IND-UND-06). */
export const accountMoves: readonly DeclaredRefusal[] = [
  'ACCOUNT_NOT_FOUND',
  withStatus('INVALID_ACCOUNT_STATE', ({ invalidTransition }) => [invalidTransition.indoor]),
]

/** An unlock of an account that is not locked (IND-PRM-06). */
export const unlockInUse = withStatus('INVALID_ACCOUNT_STATE', ({ indoor }) =>
  unlessAccepted(indoor.unlockInUse),
)

/** A call that moves a delivery along its lifecycle (LOG-RUL-06). */
export const deliveryMoves: readonly DeclaredRefusal[] = [
  'DELIVERY_NOT_FOUND',
  withStatus('INVALID_TRANSITION', ({ invalidTransition, passedTarget }) => [
    invalidTransition.logistics,
    ...unlessAccepted(passedTarget),
  ]),
]

/** A delivery to a place where nothing is delivered. */
export const uncoveredArea = [
  withStatus('DELIVERY_AREA_NOT_COVERED', ({ logistics }) =>
    logistics.uncovered === 'refuse' ? [422] : [],
  ),
]

/** A question for a place where nothing is available (LOG-FLD-09). */
export const unavailablePlace = [
  withStatus('DELIVERY_AREA_NOT_COVERED', ({ logistics }) =>
    logistics.unavailable === 'refuse' ? [422] : [],
  ),
]

const ifLimited =
  (status: number): Statuses =>
  ({ customer }) =>
    customer.enforceLimits ? [status] : []

/** An ingest of customer data: limits, versions and duplicates (LIM-UND-01, CUS-TEN-06). */
export const ingestRefusals: readonly DeclaredRefusal[] = [
  withStatus('BATCH_TOO_LARGE', ifLimited(400)),
  withStatus('BATCH_NOT_SUPPORTED', ifLimited(400)),
  withStatus('VERSION_CONFLICT', ({ customer }) => unlessAccepted(customer.staleWrite)),
  withStatus('DUPLICATE', ({ customer }) => unlessAccepted(customer.duplicate)),
]

/** A list of customer data, which has limits (LIM-CUS-02, LIM-CUS-04). */
export const listRefusals: readonly DeclaredRefusal[] = [
  withStatus('PERIOD_TOO_LONG', ifLimited(400)),
  withStatus('BATCH_NOT_SUPPORTED', ifLimited(400)),
]

/** A redemption of a reward (LOY-UND-02). */
export const redemptionRefusals: readonly DeclaredRefusal[] = [
  'NOT_FOUND',
  'CONFLICT',
  'UNPROCESSABLE',
  withStatus('INSUFFICIENT_BALANCE', ({ loyalty }) => unlessAccepted(loyalty.insufficientBalance)),
  withStatus('LOYALTY_ACCOUNT_SUSPENDED', ({ loyalty }) => unlessAccepted(loyalty.blockedMovement)),
  withStatus('CONFLICT', ({ loyalty }) => unlessAccepted(loyalty.blockedMovement)),
]
