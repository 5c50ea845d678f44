/** Placing a call, and the type of the readers of its answer. */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { callInDialect } from '../v1/call-in-dialect.ts'
import type { OutgoingCall, CallIntent, CallOutcome } from './call.ts'

/** Turns the outcome of a call into facts of the caller's slice. */
export type AnswerReader = (
  call: OutgoingCall,
  outcome: CallOutcome,
  context: DecisionContext,
) => readonly Fact[]

/** Answer readers by operation; a call without a reader just ends. */
export type AnswerReaders = Readonly<Partial<Record<OperationId, AnswerReader>>>

/** The fact that a call is in flight. */
export function callPlacedFact(intent: CallIntent, context: DecisionContext): Fact {
  const requestId = intent.requestId ?? context.chance('requests').uuid()
  const spoken = callInDialect(intent, context)
  return { kind: 'call.placed', call: { ...spoken, id: context.world.nextCallId, requestId } }
}
