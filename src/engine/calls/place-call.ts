/** Beginning a call, and who reads its answer. */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { spokenCall } from '../v1/calls.ts'
import type { Call, CallIntent, CallOutcome } from './call.ts'

/** What an answer means: facts of the caller's slice. */
export type AnswerReader = (call: Call, outcome: CallOutcome, context: Context) => readonly Fact[]

/** Who reads the answer of which operation; one that stands in none simply ends. */
export type AnswerReaders = Readonly<Partial<Record<OperationId, AnswerReader>>>

/** The fact that a call is under way. */
export function placed(intent: CallIntent, context: Context): Fact {
  const requestId = intent.requestId ?? context.chance('requests').uuid()
  const spoken = spokenCall(intent, context)
  return { kind: 'call.placed', call: { ...spoken, id: context.world.nextCallId, requestId } }
}
