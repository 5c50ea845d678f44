/** Placing a call, and the type of the readers of its answer. */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { spokenCall } from '../v1/calls.ts'
import type { Call, CallIntent, CallOutcome } from './call.ts'

/** Turns the outcome of a call into facts of the caller's slice. */
export type AnswerReader = (call: Call, outcome: CallOutcome, context: Context) => readonly Fact[]

/** Answer readers by operation; a call without a reader just ends. */
export type AnswerReaders = Readonly<Partial<Record<OperationId, AnswerReader>>>

/** The fact that a call is in flight. */
export function placed(intent: CallIntent, context: Context): Fact {
  const requestId = intent.requestId ?? context.chance('requests').uuid()
  const spoken = spokenCall(intent, context)
  return { kind: 'call.placed', call: { ...spoken, id: context.world.nextCallId, requestId } }
}
