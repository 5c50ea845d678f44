/** Beginning a call, and who reads its answer. */
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { Call, CallIntent, CallOutcome } from './call.ts'

/** What an answer means: facts of the caller's slice. */
export type AnswerReader = (call: Call, outcome: CallOutcome, context: Context) => readonly Fact[]

/** The fact that a call is under way. */
export function placed(intent: CallIntent, context: Context): Fact {
  const requestId = intent.requestId ?? context.chance('requests').uuid()
  return { kind: 'call.placed', call: { ...intent, id: context.world.nextCallId, requestId } }
}
